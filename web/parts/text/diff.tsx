import { useState } from 'react'
import { lineCount, MOST_DIFF_LINES, type DiffLine, type Hunk } from './line-diff.ts'
import { Quoted } from './quoted.tsx'
import styles from './diff.module.css'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

function Line({ line }: { line: DiffLine }) {
  return (
    <div className={styles[line.kind]}>
      <span className="line">{line.after ?? line.before}</span>
      <span aria-label={line.kind === 'same' ? undefined : line.kind}>{SIGNS[line.kind]}</span>
      <Quoted text={line.text} />
    </div>
  )
}

function HunkView({ hunk, closed }: { hunk: Hunk; closed: boolean }) {
  const [open, setOpen] = useState(!closed)
  return (
    <>
      <h4>
        <button type="button" className="btn link" aria-expanded={open} onClick={() => setOpen(!open)}>
          lines {hunk.from} to {hunk.to}
        </button>
        <span className="soft num">
          +{hunk.added} −{hunk.removed}
        </span>
      </h4>
      {open && hunk.lines.map((line, index) => <Line key={index} line={line} />)}
    </>
  )
}

/** A diff of one file. Above the limit of lines, every hunk is closed at first. */
export function Diff({ file, hunks }: { file: string; hunks: readonly Hunk[] }) {
  const closed = lineCount(hunks) > MOST_DIFF_LINES
  return (
    <figure className={styles['diff']}>
      <figcaption>
        <Quoted text={file} />
      </figcaption>
      {hunks.map((hunk) => (
        <HunkView key={`${hunk.from}-${hunk.to}`} hunk={hunk} closed={closed} />
      ))}
    </figure>
  )
}
