// What a list says to a shell command that it does not simply let pass.
export interface Finding {
  /** `unlisted`: no entry covers it; `refused`: an entry names it; `unclear`: it cannot be told. */
  kind: 'unlisted' | 'refused' | 'unclear'
  reason: string
  /** The piece of the command it is about. */
  part: string
}
