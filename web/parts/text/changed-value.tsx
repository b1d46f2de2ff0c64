import { listChange } from './field-changes.ts'
import { Quoted } from './quoted.tsx'
import { Value } from './value.tsx'
import { absenceOf } from './value-text.ts'

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
        {absenceOf(before) === null ? (
          <del className="was">
            <Value value={before} />
          </del>
        ) : (
          <Value value={before} />
        )}{' '}
        →{' '}
        <ins className="is">
          <Value value={after} />
        </ins>
      </span>
    )
  return (
    <span className="changed">
      {list.removed.map((entry) => (
        <del key={`was ${entry}`} className="was">
          <Quoted text={`− ${entry}`} />
        </del>
      ))}
      {list.added.map((entry) => (
        <ins key={`is ${entry}`} className="is">
          <Quoted text={`+ ${entry}`} />
        </ins>
      ))}
    </span>
  )
}
