import { useRef } from 'react'
import { useKeys } from '../keys/use-keys.ts'

interface FilterFieldProps {
  label: string
  placeholder: string
  value: string
  onChange(value: string): void
}

/** The filter of a list; the key `f` leads there, and Esc back to the keys of the list. */
export function FilterField({ label, placeholder, value, onChange }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useKeys([{ keys: 'f', does: 'Filter', run: () => field.current?.focus() }])
  return (
    <input
      ref={field}
      className="find"
      value={value}
      aria-label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
