import { useMemo } from 'react'
import { splitEnd } from './excerpt.ts'
import { Segments } from './quoted.tsx'
import { segmentsOf } from './signs.ts'

/** Characters that the narrowest column holds beside the cut. */
const END = 12

interface CutTextProps {
  text: string
  mono?: boolean
  /** Characters at the end that are never cut; default 12. */
  end?: number
}

/** A name or a line of others on one line. If it is too long, its middle is cut, so that its end is seen too. */
export function CutText({ text, mono = false, end = END }: CutTextProps) {
  const parts = useMemo(() => splitEnd(text.replace(/\s/g, ' '), end).map(segmentsOf), [text, end])
  return (
    <bdi dir="auto" className={mono ? 'middle mono' : 'middle'}>
      {parts.map((segments, index) => (
        <span key={index}>
          <Segments segments={segments} />
        </span>
      ))}
    </bdi>
  )
}
