import { useEffect, type ReactNode } from 'react'
import { useLostAt } from '../live/use-live.ts'
import { clockText } from '../parts/time/dates.ts'

interface ScreenHeadProps {
  title: string
  /** Title of the window; default: the title. */
  windowTitle?: string
  children?: ReactNode
}

/** Heading of a screen, with the time of its data while the connection is lost. */
export function ScreenHead({ title, windowTitle = title, children }: ScreenHeadProps) {
  const lostAt = useLostAt()
  useEffect(() => {
    document.title = windowTitle
  }, [windowTitle])
  return (
    <div className="head">
      <h1>{title}</h1>
      {lostAt !== null && <span className="dated">as of {clockText(lostAt)}</span>}
      {children}
    </div>
  )
}
