import { texts } from "../../lib/texts.mjs"

export const dynamicParams = false

export function generateStaticParams() {
  return Object.keys(texts).map((name) => ({ name: name.split("/") }))
}

export async function generateMetadata({ params }) {
  return { title: (await params).name.map(decodeURIComponent).join(", ") }
}

export default async function Page({ params }) {
  return <p>{texts[(await params).name.map(decodeURIComponent).join("/")]}</p>
}
