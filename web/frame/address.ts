import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/** The address with another value of a parameter; the default value is left out. */
export function addressWith(
  { pathname, search }: { pathname: string; search: string },
  name: string,
  value: string,
): string {
  const parameters = new URLSearchParams(search)
  if (value === '') parameters.delete(name)
  else parameters.set(name, value)
  const text = parameters.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** A text that lives in the address, such as a filter, so that a reload and a link keep it. Default: empty. */
export function useAddressText(name: string): [text: string, setText: (text: string) => void] {
  const { history } = useRouter()
  const [text, setText] = useState(() => new URLSearchParams(history.location.search).get(name) ?? '')
  return [
    text,
    (next) => {
      setText(next)
      history.replace(addressWith(history.location, name, next))
    },
  ]
}
