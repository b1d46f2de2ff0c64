import { useRouter } from '@tanstack/react-router'
import { useRef, useSyncExternalStore } from 'react'

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

const screenOf = ({ pathname }: { pathname: string }): string => pathname.split('/').slice(0, 3).join('/')

/**
 * A text that lives in the address, such as a filter, so that a reload, a link and the way back keep it. Default: empty.
 * Keeps its value while another screen replaces this one.
 */
export function useAddressText(name: string): [text: string, setText: (text: string) => void] {
  const { history } = useRouter()
  const kept = useRef({ screen: screenOf(history.location), text: '' })
  const current = () => {
    const { location } = history
    if (screenOf(location) === kept.current.screen)
      kept.current.text = new URLSearchParams(location.search).get(name) ?? ''
    return kept.current.text
  }
  const text = useSyncExternalStore(history.subscribe, current, current)
  return [text, (next) => history.replace(addressWith(history.location, name, next))]
}
