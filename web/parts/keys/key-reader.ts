export interface Press {
  /** As in KeyboardEvent. */
  key: string
  ctrl: boolean
  meta: boolean
  alt: boolean
  /** With Ctrl only: other keys have their capital. */
  shift?: boolean
  /** True in a text field. */
  isTyping: boolean
  /** Milliseconds. */
  at: number
}

export interface Binding {
  /** `a`, `A`, `g i`, `Ctrl K`, `Esc`, `Enter`. */
  keys: string
  /** For the list of keys: "Approve once". */
  does: string
  /** The command line that does the same: "svc suspend agents/builder". */
  shown?: string
  run(): void
}

/** Time for the second key of a sequence. */
const SEQUENCE_MS = 1500
/** Time in which a late second key does nothing. */
const LATE_MS = 5000
const PREFIXES: ReadonlySet<string> = new Set(['g'])
/** Work in text fields too. */
const EVERYWHERE: ReadonlySet<string> = new Set(['Ctrl K', 'Esc'])
const NAMES: Readonly<Record<string, string>> = { Escape: 'Esc', ' ': 'Space' }

/** The key of a press. Caps Lock does not count: it must not turn "approve once" into "approve for this session". */
export const keyOf = ({ key, shiftKey }: { key: string; shiftKey: boolean }): string =>
  /^[a-z]$/i.test(key) ? (shiftKey ? key.toUpperCase() : key.toLowerCase()) : key

type KeyEvent = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'timeStamp' | 'getModifierState'
>

/** The press of an event. AltGr, which some systems report as Ctrl and Alt, only makes another sign, such as `[`. */
export function pressOf(event: KeyEvent, isTyping: boolean): Press {
  const isSign = event.getModifierState('AltGraph')
  return {
    key: keyOf(event),
    ctrl: event.ctrlKey && !isSign,
    meta: event.metaKey,
    alt: event.altKey && !isSign,
    shift: event.shiftKey,
    isTyping,
    at: event.timeStamp,
  }
}

/** Turns key presses into the names of bindings. */
export class KeyReader {
  #prefix: { key: string; at: number } | null = null

  /** Returns the name of the pressed binding, or null for a prefix, a modifier or text. */
  read({ key, ctrl, meta, alt, shift = false, isTyping, at }: Press): string | null {
    if (alt || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return null
    const prefix = this.#prefix
    this.#prefix = null
    // Those with Shift belong to the browser.
    if ((ctrl || meta) && shift) return null
    if (ctrl || meta) return this.#allowed(`Ctrl ${key.toUpperCase()}`, isTyping)
    const name = NAMES[key] ?? key
    if (PREFIXES.has(name) && !isTyping) {
      this.#prefix = { key: name, at }
      return null
    }
    const age = prefix === null ? Infinity : at - prefix.at
    if (age <= SEQUENCE_MS) return this.#allowed(`${prefix!.key} ${name}`, isTyping)
    // A late second key: `g a` opens the agents, and a lone `a` would approve.
    if (age <= LATE_MS && !isTyping) return null
    return this.#allowed(name, isTyping)
  }

  #allowed(name: string, isTyping: boolean): string | null {
    return isTyping && !EVERYWHERE.has(name) ? null : name
  }
}

/** Bindings of the parts on screen; those of the most recent part win. */
export class KeyRegistry {
  #groups: (readonly Binding[])[] = []
  #resting = 0
  /** Single keys can be turned off; then only `Ctrl K` and `Esc` work. */
  areSingleKeysOn = true

  /** Returns a function that removes the bindings. */
  add(bindings: readonly Binding[]): () => void {
    this.#groups = [...this.#groups, bindings]
    return () => void (this.#groups = this.#groups.filter((group) => group !== bindings))
  }

  /** Lets all bindings rest, also later ones, as behind a dialog. Returns a function that ends it. */
  rest(): () => void {
    this.#resting += 1
    return () => void (this.#resting -= 1)
  }

  /** Runs a binding; returns false if no part has it, or all rest. */
  run(name: string): boolean {
    if (this.#resting > 0) return false
    if (!this.areSingleKeysOn && !EVERYWHERE.has(name)) return false
    const found = this.listed().find(({ keys }) => keys === name)
    found?.run()
    return found !== undefined
  }

  /** Bindings in force, most recent part first. */
  listed(): Binding[] {
    const found = new Map<string, Binding>()
    for (const group of this.#groups.toReversed())
      for (const binding of group) if (!found.has(binding.keys)) found.set(binding.keys, binding)
    return [...found.values()]
  }
}
