import { listChange } from './field-changes.ts'
import { Quoted } from './quoted.tsx'
import { valueText } from './value-text.ts'

interface ChangedValueProps {
  before: unknown
  after: unknown
}

/** A value before and after a change: entries of a list that were removed and added, else both values. */
export function ChangedValue({ before, after }: ChangedValueProps) {
  const list = listChange(before, after)
  if (list === null)
    return (
      <span className="changed">
        <Was text={valueText(before)} /> → <Is text={valueText(after)} />
      </span>
    )
  return (
    <span className="changed">
      {list.removed.map((entry) => (
        <Was key={`was ${entry}`} text={`− ${entry}`} />
      ))}
      {list.added.map((entry) => (
        <Is key={`is ${entry}`} text={`+ ${entry}`} />
      ))}
    </span>
  )
}

function Was({ text }: { text: string }) {
  return (
    <del className="was">
      <Quoted text={text} />
    </del>
  )
}

function Is({ text }: { text: string }) {
  return (
    <ins className="is">
      <Quoted text={text} />
    </ins>
  )
}
