import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { useKeyRegistry, useKeys } from '../keys/use-keys.ts'
import { movedIndex } from '../lists/roving.ts'
import styles from './dialog.module.css'

export interface MenuItem {
  label: string
  keys?: string
  run(): void
}

interface MenuProps {
  text: string
  label: string
  keys?: string
  items: readonly MenuItem[]
}

/** A button with a native popover of actions. Its visible text is part of its accessible name. */
export function Menu({ text, label, keys, items }: MenuProps) {
  const id = useId()
  const registry = useKeyRegistry()
  // The keys of the page rest while the menu is open: letters choose an item there.
  const wake = useRef<() => void>(() => undefined)
  useEffect(() => () => wake.current(), [])
  // A click anchors the menu at its button.
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  // A hidden button would open a menu that nobody sees.
  const isShown = () => button.current?.checkVisibility({ visibilityProperty: true }) === true
  useKeys(keys === undefined ? [] : [{ keys, does: label, run: () => isShown() && button.current?.click() }])
  const buttons = () => [...(popover.current?.querySelectorAll('button') ?? [])]
  const onKeyDown = (event: KeyboardEvent) => {
    // The focus leaves the menu, and the keys of the page must not rest on.
    if (event.key === 'Tab') return popover.current?.hidePopover()
    const all = buttons()
    const next = movedIndex(event.key, all.indexOf(document.activeElement as HTMLButtonElement), all.length)
    if (next === null) return
    event.preventDefault()
    all[next]!.focus()
  }
  const onToggle = ({ newState }: { newState: string }) => {
    wake.current()
    wake.current = newState === 'open' ? registry.rest() : () => undefined
    if (newState === 'open') buttons()[0]?.focus()
  }
  return (
    <>
      <button ref={button} type="button" className="btn plain" popoverTarget={id} aria-haspopup="menu">
        {text} <span className="hide">{label}</span> {keys && <kbd aria-hidden="true">{keys}</kbd>}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles['menu']}
        onKeyDown={onKeyDown}
        onToggle={onToggle}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            onClick={() => {
              popover.current?.hidePopover()
              item.run()
            }}
          >
            {item.label} {item.keys && <kbd aria-hidden="true">{item.keys}</kbd>}
          </button>
        ))}
      </div>
    </>
  )
}
