// Without interest, the bridge polls less often.

export class RoomInterest {
  #isThere = true
  #moves = 0

  get isThere(): boolean {
    return this.#isThere
  }

  /** Also overrides a running check, which may have missed the change. */
  noteMove(): void {
    this.#isThere = true
    this.#moves++
  }

  /** Call the returned function with the result. */
  beginCheck(): (found: boolean) => void {
    const moves = this.#moves
    return (found) => void (this.#isThere = found || this.#moves !== moves)
  }
}
