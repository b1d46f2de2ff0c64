import type { InboxPart } from '../../../schemas/gateway/inbox.ts'
import { excerpt, MOST } from '../../parts/text/excerpt.ts'
import { Quoted, Said } from '../../parts/text/quoted.tsx'

/** Parts of a title: text of svc, and names of others, which are isolated. */
export function PartText({ parts }: { parts: readonly InboxPart[] }) {
  return parts.map((part, index) =>
    'quoted' in part ? (
      <b key={index}>
        <Quoted text={part.quoted} />
      </b>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  )
}

/** Characters of each of many texts that share the lines of a list. */
const LEAST = 24

/** Parts of a detail on the lines of a list: what an author says is mono, names are not. */
export function PartExcerpt({ parts }: { parts: readonly InboxPart[] }) {
  const most = Math.max(Math.floor(MOST / parts.filter((part) => 'quoted' in part).length), LEAST)
  return parts.map((part, index) => {
    if (!('quoted' in part)) return <span key={index}>{part.text}</span>
    return <Quoted key={index} text={excerpt(part.quoted, most)} mono={part.by !== null} />
  })
}

/** Parts of a detail: what an author says is quoted and signed, names are not. */
export function PartDetail({ parts }: { parts: readonly InboxPart[] }) {
  const said = parts.flatMap((part) => ('quoted' in part && part.by !== null ? [{ ...part, by: part.by }] : []))
  if (said.length === 0) return <PartText parts={parts} />
  return said.map(({ quoted, by }, index) => <Said key={index} by={by.replace(/^agent:/, '')} text={quoted} />)
}
