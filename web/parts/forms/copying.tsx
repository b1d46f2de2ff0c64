import { useRef, useState, type RefObject } from 'react'

/** Writes to the clipboard; false if the browser refuses, as without a secure context. */
const writeClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Selects the text of an element, so that a person can copy it. */
function selectText(element: Element): void {
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.selectAllChildren(element)
}

export interface Copying<Shown extends Element> {
  /** The element that shows the text. */
  shown: RefObject<Shown | null>
  /** What became of the copy; empty before. */
  note: string
  copy(): Promise<void>
}

/** Copies a text that is on screen. If the browser refuses, the text is selected instead, and the note says so. */
export function useCopying<Shown extends Element>(text: string): Copying<Shown> {
  const shown = useRef<Shown>(null)
  const [note, setNote] = useState('')
  const copy = async () => {
    const isCopied = await writeClipboard(text)
    if (!isCopied && shown.current) selectText(shown.current)
    setNote(isCopied ? COPIED : REFUSED)
  }
  return { shown, note, copy }
}

const COPIED = 'Copied.'
const REFUSED = 'The browser refused the clipboard. The text is selected: copy it with Ctrl C.'

/** A command line with a button that copies it. */
export function CopiedCommand({ command }: { command: string }) {
  const { shown, note, copy } = useCopying<HTMLElement>(command)
  return (
    <p>
      <code ref={shown}>{command}</code>{' '}
      <button type="button" className="btn small" onClick={() => void copy()}>
        Copy the command
      </button>{' '}
      <span className="soft" role="status">
        {note}
      </span>
    </p>
  )
}
