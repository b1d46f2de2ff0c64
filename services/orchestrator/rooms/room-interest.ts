// Without interest, the bridge polls less often.

export class RoomInterest {
  #isThere = true
  #moves = 0

  get isThere(): boolean {
    return this.#isThere
  }

  /** A running check may have missed the change. */
  noteMove(): void {
    this.#isThere = true
    this.#moves++
  }

  /** Call the result with the finding of the check. */
  beginCheck(): (found: boolean) => void {
    const moves = this.#moves
    return (found) => void (this.#isThere = found || this.#moves !== moves)
  }
}
