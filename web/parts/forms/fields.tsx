import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { readDraft, writeDraft } from './draft.ts'
import { storageOf } from './storage.ts'
import styles from './dialog.module.css'

const drafts = () => storageOf(() => sessionStorage)

interface FieldProps {
  label: string
  /** Error of the value, in the words of the daemon. */
  error?: string | undefined
}

function Field({
  label,
  error,
  children,
}: FieldProps & { children(ids: { id: string; describedBy?: string }): ReactNode }) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(error === undefined ? {} : { describedBy: `${id}-error` }) })}
      {error !== undefined && (
        <p id={`${id}-error`} className="c-fail">
          {error}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends FieldProps {
  value: string
  onChange(value: string): void
  /** Default 1: a line. */
  rows?: number
  isSecret?: boolean
  /** Of Esc in the field; default: the field loses the focus, and the screen stays. */
  onEscape?(): void
}

export function TextField({ label, error, value, onChange, rows = 1, isSecret = false, onEscape }: TextFieldProps) {
  return (
    <Field label={label} error={error}>
      {({ id, describedBy }) => {
        const common = {
          id,
          value,
          dir: 'auto',
          spellCheck: false,
          'aria-invalid': error !== undefined,
          'aria-describedby': describedBy,
          onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
            // In a dialog, Esc closes the dialog.
            if (event.key !== 'Escape' || (!onEscape && event.currentTarget.closest('dialog'))) return
            event.preventDefault()
            if (onEscape) onEscape()
            else event.currentTarget.blur()
          },
        } as const
        return rows === 1 ? (
          <input
            {...common}
            type={isSecret ? 'password' : 'text'}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <textarea {...common} rows={rows} onChange={(event) => onChange(event.target.value)} />
        )
      }}
    </Field>
  )
}

/** Text that survives a reload, until it is sent. Returns the text and its setter; an empty text removes the draft. */
export function useDraft(name: string): [text: string, setText: (text: string) => void] {
  const [draft, setDraft] = useState(() => ({ name, text: readDraft(drafts(), name) }))
  const text = draft.name === name ? draft.text : readDraft(drafts(), name)
  return [
    text,
    (next) => {
      writeDraft(drafts(), name, next)
      setDraft({ name, text: next })
    },
  ]
}
