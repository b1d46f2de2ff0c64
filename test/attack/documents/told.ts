// What the writing process and the one that looks after it have in common.
export const IDS = ['first', 'second', 'third']

/** Long enough that half of it would be seen. */
export const textOf = (number: number): string => `text of ${number}\n`.repeat(4000)

export interface Told {
  number: number
  id: string
  deletes: boolean
  state: 'begun' | 'done'
}
