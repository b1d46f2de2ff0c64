// A gate: closed at first, and open for good once it was opened.
export class Gate {
  /** Resolves when the gate is open. */
  readonly passed: Promise<void>
  #open!: () => void

  constructor() {
    this.passed = new Promise((resolve) => (this.#open = resolve))
  }

  open(): void {
    this.#open()
  }
}
