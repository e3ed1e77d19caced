export const metadata = { title: "Thank you", robots: { index: false, follow: true } }

export default function Thanks() {
  return <p>We will call you. marker-nextjs-thanks</p>
}
