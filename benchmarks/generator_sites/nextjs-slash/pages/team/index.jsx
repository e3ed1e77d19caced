export default function Team() {
  return <p>Four vets and a cat. marker-nextjs-slash-team</p>
}
