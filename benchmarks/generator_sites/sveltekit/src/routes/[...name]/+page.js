import { texts } from "../../lib/texts.js"

export const entries = () => Object.keys(texts).map((name) => ({ name }))
export const load = ({ params }) => ({ name: params.name, text: texts[params.name] })
