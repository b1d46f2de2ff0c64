import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useRestingKeys } from '../keys/use-keys.ts'
import { Quoted } from '../text/quoted.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  /** Initial focus: the heading (default), so that no key press acts, or the first field. */
  focus?: 'heading' | 'field'
  /** Keeps the dialog open, while its action is being sent. */
  isBusy?: boolean
  onClose(): void
  children: ReactNode
}

/** A native modal dialog, open while it is mounted. The button that acts never has the initial focus. */
export function Dialog({ title, focus = 'heading', isBusy = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useRestingKeys()
  useEffect(() => {
    dialog.current?.showModal()
    const field = dialog.current?.querySelector<HTMLElement>('input, textarea, select')
    ;((focus === 'field' && field) || heading.current)?.focus()
  }, [])
  // Only close() gives the focus back to the element that had it.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => isBusy && event.preventDefault()}
      // The browser lets a second Esc pass.
      onKeyDown={(event) => isBusy && event.key === 'Escape' && event.preventDefault()}
      onClose={onClose}
    >
      <h2 id={id} ref={heading} tabIndex={-1}>
        <Quoted text={title} />
      </h2>
      {children}
    </dialog>
  )
}
