import { useMemo, useState, type ReactNode, type Ref } from 'react'
import { blocksOf, completeness, segmentsOf, signedText, signText, type Segment } from './signs.ts'
import { bytesText, headOf } from './long-text.ts'

/** Text with signs for its invisible characters. */
export function Segments({ segments }: { segments: readonly Segment[] }) {
  return segments.map((segment, index) =>
    'text' in segment ? (
      segment.text
    ) : (
      <abbr key={index} className="sign" title={segment.code}>
        {signText(segment)}
      </abbr>
    ),
  )
}

/** A word or a line of others, inside a sentence of svc: isolated, with signs for invisible characters. */
export function Quoted({ text, mono = false }: { text: string; mono?: boolean }) {
  const segments = useMemo(() => segmentsOf(text), [text])
  return (
    <bdi dir="auto" className={mono ? 'mono' : undefined}>
      <Segments segments={segments} />
    </bdi>
  )
}

interface SaidProps {
  /** Author; never taken from the text. */
  by: string
  text: string
}

/** What an agent, manifest, room or file says: quoted and signed. The rest of a long text is shown on request. */
export function Said({ by, text }: SaidProps) {
  const [isWhole, setWhole] = useState(false)
  const head = useMemo(() => headOf(text), [text])
  return (
    <blockquote className="said">
      <b>
        <Quoted text={by} />
      </b>{' '}
      <bdi dir="auto">{isWhole ? text : head.text}</bdi>
      {head.rest > 0 && !isWhole && (
        <button type="button" className="btn link" onClick={() => setWhole(true)}>
          rest ({bytesText(head.rest)})
        </button>
      )}
    </blockquote>
  )
}

function Line({ number, children }: { number: number; children: ReactNode }) {
  return (
    <div>
      <span className="line" aria-hidden="true">
        {number}
      </span>
      <bdi dir="ltr">{children}</bdi>
    </div>
  )
}

interface CompleteTextProps {
  label: string
  text: string
  /** Of the element with the text alone. */
  ref?: Ref<HTMLDivElement>
  /** Follows the counts of lines and characters. */
  children?: ReactNode
}

/** The complete text of a request for approval: numbered, wrapped, never cut, its invisible characters as signs. */
export function CompleteText({ label, text, ref, children }: CompleteTextProps) {
  const signed = useMemo(() => signedText(text), [text])
  const blocks = useMemo(() => blocksOf(signed), [signed])
  return (
    <>
      <div ref={ref} className="sunken" role="group" aria-label={label}>
        {blocks === null
          ? signed.lines.map((segments, index) => (
              <Line key={index} number={index + 1}>
                <Segments segments={segments} />
              </Line>
            ))
          : blocks.map(({ from, text: block }) => (
              <Line key={from} number={from}>
                {block}
              </Line>
            ))}
      </div>
      <p className="soft">
        {completeness(signed)}. {children}
      </p>
    </>
  )
}
