import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { KeyReader, pressOf, type Binding, type KeyRegistry } from './key-reader.ts'

const KeyContext = createContext<KeyRegistry | null>(null)
export const KeyProvider = KeyContext.Provider

export function useKeyRegistry(): KeyRegistry {
  const registry = useContext(KeyContext)
  if (registry === null) throw new Error('no KeyProvider above this component')
  return registry
}

/** Binds keys while the component is mounted. The bindings may change with each render. */
export function useKeys(bindings: readonly Binding[]): void {
  const registry = useKeyRegistry()
  const latest = useRef(bindings)
  useEffect(() => {
    latest.current = bindings
  })
  const names = bindings.map(({ keys, does, shown = '' }) => `${keys}\n${does}\n${shown}`).join('\n\n')
  useEffect(
    () =>
      registry.add(
        latest.current.map(({ keys, ...rest }) => ({
          ...rest,
          keys,
          run: () => latest.current.find((binding) => binding.keys === keys)?.run(),
        })),
      ),
    [registry, names],
  )
}

/** Lets the keys of the page rest while the component is mounted, as behind a dialog. */
export function useRestingKeys(): void {
  const registry = useKeyRegistry()
  // Ends with the removal of the dialog: the next key press may follow at once.
  useLayoutEffect(() => registry.rest(), [registry])
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isActive = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, summary') !== null

/** Reads the keys of the page. Returns a function that ends it. */
export function readKeys(registry: KeyRegistry): () => void {
  const reader = new KeyReader()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    // Enter and Space activate the focused element.
    if (/^(Enter| )$/.test(event.key) && isActive(event.target)) return
    const name = reader.read(pressOf(event, isField(event.target)))
    if (name !== null && registry.run(name)) event.preventDefault()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
