// Whether some agent has to do with rooms, as far as was seen. While none has, everything is looked at seldom.

export class RoomInterest {
  #isThere = true
  #moves = 0

  get isThere(): boolean {
    return this.#isThere
  }

  /** Something moved that may be of rooms. A look that is under way may have passed it by already. */
  noteMove(): void {
    this.#isThere = true
    this.#moves++
  }

  /** A look begins: call what is returned with whether it saw somebody. */
  look(): (sawSomebody: boolean) => void {
    const moves = this.#moves
    return (sawSomebody) => void (this.#isThere = sawSomebody || this.#moves !== moves)
  }
}
