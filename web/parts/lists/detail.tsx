import { useLayoutEffect, useRef, type ReactNode } from 'react'

interface DetailProps {
  label: string
  /** Identifies what is shown; null for nothing. */
  shown: string | null
  children: ReactNode
}

/** The detail beside a list. Whatever is shown next begins at its top, since its end alone would mislead. */
export function Detail({ label, shown, children }: DetailProps) {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (element.current) element.current.scrollTop = 0
  }, [shown])
  return (
    <article ref={element} className="detail" aria-label={label}>
      {children}
    </article>
  )
}
