import { useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../forms/dialog.tsx'
import { movedIndex } from '../lists/roving.ts'
import { CutText } from '../text/cut-text.tsx'
import { Quoted } from '../text/quoted.tsx'
import { matchingCommands, type Command } from './commands.ts'
import styles from './command-bar.module.css'

const KINDS: Record<Command['kind'], string> = { go: 'Go to', find: 'Open', do: 'Run' }

/** Finds screens, objects and actions, and shows the command line of the selected action. */
export function CommandBar({ commands, onClose }: { commands: readonly Command[]; onClose(): void }) {
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState(0)
  const id = useId()
  const found = useMemo(() => matchingCommands(query, commands), [query, commands])
  const selected = found[Math.min(current, found.length - 1)]
  useScrollTo(`${id}-${selected?.id}`)
  const run = (command: Command | undefined) => {
    onClose()
    // After the dialog has given the focus back, so that a command may move it.
    if (command) setTimeout(() => command.run())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter of an input method, or held since the bar was opened.
    if (event.nativeEvent.isComposing || (event.repeat && event.key === 'Enter')) return
    if (event.key === 'Enter') return run(selected)
    const next = event.key.startsWith('Arrow') ? movedIndex(event.key, current, found.length) : null
    if (next === null) return
    event.preventDefault()
    setCurrent(next)
  }
  return (
    <Dialog title="Search or run" focus="field" onClose={onClose}>
      <input
        className={styles['query']}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={selected && `${id}-${selected.id}`}
        aria-label="An agent, a file, a command"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setCurrent(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Results" className={styles['results']}>
        {found.map((command) => (
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            aria-selected={command === selected}
            className={styles['result']}
            onClick={() => run(command)}
          >
            <Result command={command} />
          </div>
        ))}
      </div>
      <p className="soft" role="status">
        {found.length === 0 ? 'No match' : selected?.shown && <Quoted text={selected.shown} mono />}
      </p>
    </Dialog>
  )
}

function useScrollTo(element: string): void {
  useEffect(() => {
    // Newer browsers return a promise, which React would call at the end of the effect.
    document.getElementById(element)?.scrollIntoView({ block: 'nearest' })
  }, [element])
}

function Result({ command: { kind, title, detail, keys } }: { command: Command }) {
  return (
    <>
      <span className="soft">{KINDS[kind]}</span>
      <span className="cut">
        <CutText text={title} />
      </span>
      <span className="soft cut">{detail && <CutText text={detail} />}</span>
      {keys && <kbd aria-hidden="true">{keys}</kbd>}
    </>
  )
}
