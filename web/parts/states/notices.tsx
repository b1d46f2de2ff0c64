import type { ReactNode } from 'react'
import { CopiedCommand } from '../forms/copying.tsx'
import { Quoted } from '../text/quoted.tsx'
import { Shape } from './shape.tsx'

export interface FailureFacts {
  detail: string
  /** Those of the page itself begin with `page-`; docs/errors.md explains the others. */
  code: string
  requestId: string | null
  /** One next step. */
  step: string
}

/** An empty screen: what would be here, and how to get it. */
export function EmptyNotice({ what, command, children }: { what: string; command?: string; children?: ReactNode }) {
  return (
    <div className="notice" role="status">
      <p>
        <Quoted text={what} />
      </p>
      {command && <CopiedCommand command={command} />}
      {children}
    </div>
  )
}

interface FailureNoticeProps {
  facts: FailureFacts
  onRetry?: () => void
  /** Label of the button; default "Retry". */
  retry?: string
}

/** A failure, with its code as docs/errors.md lists it. */
export function FailureNotice({ facts, onRetry, retry = 'Retry' }: FailureNoticeProps) {
  const { detail, code, requestId, step } = facts
  return (
    <div className="notice" role="alert">
      <p>
        <Shape state="failed" word="error" /> <Quoted text={detail} />
      </p>
      <p className="soft">
        <code>{code}</code>
        {!code.startsWith('page-') && (
          <>
            , explained in <code>docs/errors.md</code>
          </>
        )}
        {requestId && (
          <>
            ; request <code>{requestId}</code>
          </>
        )}
      </p>
      <p>{step}</p>
      {onRetry && (
        <button type="button" className="btn" onClick={onRetry}>
          {retry}
        </button>
      )}
    </div>
  )
}

/** The caller lacks a permission. */
export function DeniedNotice({ subject, role, needs, detail }: DeniedProps) {
  return (
    <div className="notice" role="alert">
      <p>
        <Shape state="denied" /> You are{' '}
        <b>
          <Quoted text={subject} />
        </b>
        {role && <> with the role {role}</>}. This needs {needs}.
      </p>
      <p className="soft">
        <Quoted text={detail} />
      </p>
    </div>
  )
}

interface DeniedProps {
  subject: string
  role: string | null
  /** "the permission approve". */
  needs: string
  detail: string
}

/** Grey rows. They appear after 200 ms, because a fast answer needs none. */
export function LoadingRows({ count = 6 }: { count?: number }) {
  return (
    <div role="status" aria-label="Loading" className="loading">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  )
}
