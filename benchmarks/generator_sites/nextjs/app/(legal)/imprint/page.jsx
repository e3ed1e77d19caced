export const metadata = { title: "Imprint" }

export default function Imprint() {
  return <p>Three partners are liable for all that is on these pages. marker-nextjs-imprint</p>
}
