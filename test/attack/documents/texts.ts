export const IDS = ['first', 'second', 'third']

/** Long enough that a partial write is noticed. */
export const textOf = (number: number): string => `text of ${number}\n`.repeat(4000)

export interface WriteEvent {
  number: number
  id: string
  deletes: boolean
  state: 'begun' | 'done'
}
