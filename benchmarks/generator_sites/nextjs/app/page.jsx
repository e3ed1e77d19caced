export const metadata = { title: "Carpenters" }

export default function Home() {
  return <p>Stairs, shelves and roofs. marker-nextjs-home</p>
}
