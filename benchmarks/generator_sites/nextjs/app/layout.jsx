import Link from "next/link"
import { texts } from "../lib/texts.mjs"

export const metadata = {
  metadataBase: new URL("https://site.example"),
  alternates: { canonical: "./" },
}

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <nav><Link href="/">Home</Link> {Object.keys(texts).map((name) => <Link key={name} href={`/${name}`}>{name}</Link>)}</nav>
        {children}
      </body>
    </html>
  )
}
