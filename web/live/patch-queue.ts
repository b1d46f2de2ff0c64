export interface PatchWorld {
  /** Calls once with the next frame of the page. */
  nextFrame(run: () => void): void
  /** Returns a function that cancels. */
  after(ms: number, run: () => void): () => void
  isHidden(): boolean
}

/** Time between the changes of a hidden page, in milliseconds. */
const HIDDEN_MS = 1000

/** Joins work, so that the page changes once per frame, and once a second while it is hidden. */
export class PatchQueue {
  readonly #world: PatchWorld
  #pending: (() => void)[] = []
  /** Cancels the scheduled flush; null without one. */
  #cancel: (() => void) | null = null

  constructor(world: PatchWorld) {
    this.#world = world
  }

  add(work: () => void): void {
    this.#pending.push(work)
    if (this.#cancel !== null) return
    // Also while the page is visible: it may be hidden before its next frame, which then never comes.
    this.#cancel = this.#world.after(HIDDEN_MS, () => this.flush())
    if (!this.#world.isHidden()) this.#world.nextFrame(() => this.flush())
  }

  /** Does the pending work now: a page that becomes visible must not wait. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    const failures: unknown[] = []
    for (const work of this.#pending.splice(0)) {
      try {
        work()
      } catch (error) {
        // The others are of other topics.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
