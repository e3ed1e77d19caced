export default function Emergency() {
  return <p>Ring the bell at the side entrance. marker-nextjs-slash-emergency</p>
}
