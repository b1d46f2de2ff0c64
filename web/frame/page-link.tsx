import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'

interface GoOptions {
  /** Replaces the current entry of the history, so that moving in a list leaves no trail. */
  replace?: boolean
  /** Keeps the parameters of the address, such as a filter. */
  keepSearch?: boolean
}

/** Returns a function that opens a path of the page: `/inbox`. */
export function useGo(): (path: string, options?: GoOptions) => void {
  const router = useRouter()
  return (path, { replace = false, keepSearch = false } = {}) => {
    const search = keepSearch ? router.history.location.search : ''
    router.history[replace ? 'replace' : 'push'](hrefOf(router.basepath, path) + search)
  }
}

const hrefOf = (base: string, path: string): string => `${base.replace(/\/$/, '')}${path}`

interface PageLinkProps {
  path: string
  isCurrent?: boolean
  className?: string
  label?: string
  /** Keeps the parameters of the address, such as a filter. */
  keepSearch?: boolean
  children: ReactNode
}

const opensElsewhere = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button !== 0 || ctrlKey || metaKey || shiftKey

/** A link to a path of the page. */
export function PageLink({ path, isCurrent = false, className, label, keepSearch = false, children }: PageLinkProps) {
  const router = useRouter()
  const href = () => hrefOf(router.basepath, path) + (keepSearch ? router.history.location.search : '')
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <a
      ref={link}
      href={href()}
      className={className}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (opensElsewhere(event)) return
        event.preventDefault()
        router.history.push(href())
      }}
    >
      {children}
    </a>
  )
}

/** A path with encoded segments: `pagePath('state', kind, name)`. */
export const pagePath = (...segments: string[]): string => `/${segments.map(encodeURIComponent).join('/')}`
