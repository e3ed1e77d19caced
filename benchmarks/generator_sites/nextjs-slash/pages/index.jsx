import Link from "next/link"

export default function Home() {
  return <p>A clinic for small animals. marker-nextjs-slash-home <Link href="/team">Team</Link> <Link href="/emergency">Emergency</Link></p>
}
