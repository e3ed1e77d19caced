const texts = {
  rabbits: "Rabbits hide their pain. marker-nextjs-slash-rabbits",
  hedgehogs: "Hedgehogs are weighed first. marker-nextjs-slash-hedgehogs",
  "vögel": "Birds travel in a dark box. marker-nextjs-slash-birds",
}

export function getStaticPaths() {
  return { paths: Object.keys(texts).map((name) => ({ params: { name } })), fallback: false }
}

export function getStaticProps({ params }) {
  return { props: { text: texts[params.name] } }
}

export default function Animal({ text }) {
  return <p>{text}</p>
}
