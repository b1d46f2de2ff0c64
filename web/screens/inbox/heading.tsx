import { useEffect, useRef, type ReactNode } from 'react'
import styles from './inbox.module.css'

export interface HeadingFocus {
  /** False for the first decision of a visit: a page that loads takes no focus. */
  isTaken: boolean
  /** Grows with each request to focus the heading. */
  count: number
}

interface HeadingProps {
  /** Of the decision. */
  id: string
  focus: HeadingFocus
  children: ReactNode
}

/** Heading of a decision. It takes the focus when a person opens another decision, so that no button has it. */
export function Heading({ id, focus: { isTaken, count }, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isTaken) heading.current?.focus({ preventScroll: true })
  }, [id, count])
  return (
    <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
      {children}
    </h2>
  )
}
