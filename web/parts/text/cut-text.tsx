import { useMemo } from 'react'
import { splitEnd } from './excerpt.ts'
import { Quoted, Segments } from './quoted.tsx'
import { segmentsOf } from './signs.ts'

/** Characters that the narrowest column holds beside the cut. */
const END = 12
/** Shorter texts have room everywhere. */
const SHORT = 16

interface CutTextProps {
  text: string
  mono?: boolean
  /** Characters at the end that are never cut; default 12. */
  end?: number
}

/** A name or a line of others on one line. If it is too long, its middle is cut, so that its end is seen too. */
export function CutText({ text, mono = false, end = END }: CutTextProps) {
  const [whole, start, rest] = useMemo(() => {
    const line = text.replace(/\s/g, ' ')
    return [line, ...splitEnd(line, end)].map(segmentsOf)
  }, [text, end])
  if (text.length <= SHORT) return <Quoted text={text} mono={mono} />
  return (
    <bdi dir="auto" className={mono ? 'middle mono' : 'middle'}>
      {/* The parts would be read as two words. */}
      <span className="hide">
        <Segments segments={whole!} />
      </span>
      <span className="start" aria-hidden="true">
        <Segments segments={start!} />
      </span>
      <span aria-hidden="true">
        <Segments segments={rest!} />
      </span>
    </bdi>
  )
}
