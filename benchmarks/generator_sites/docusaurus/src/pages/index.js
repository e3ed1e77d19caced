import Layout from "@theme/Layout"

export default function Home() {
  return <Layout title="Home"><main>Radio from the neighbourhood. marker-docusaurus-home</main></Layout>
}
