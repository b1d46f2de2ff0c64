// Values that nobody may ever show, and the search for them in whatever was emitted.
import { randomBytes } from 'node:crypto'

export class Canaries {
  readonly #values = new Map<string, string>()
  #searched = 0

  /** A new value, named by the door it is planted through. */
  plant(door: string): string {
    const value = `cnry.${randomBytes(12).toString('hex')}`
    this.#values.set(door, value)
    return value
  }

  get count(): number {
    return this.#values.size
  }

  /** Bytes that were looked through. */
  get searched(): number {
    return this.#searched
  }

  /** Which canaries stand in a text, in what form, and what stands around them. */
  seenIn(where: string, content: string | Buffer): string[] {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    this.#searched += bytes.length
    const text = bytes.toString('latin1')
    return [...this.#values].flatMap(([door, value]) =>
      formsOf(value).flatMap(([form, written]) => {
        const at = text.indexOf(written)
        return at < 0 ? [] : [`${door} (${form}) in ${where}: …${text.slice(Math.max(0, at - 60), at + 20)}…`]
      }),
    )
  }
}

function formsOf(value: string): [form: string, written: string][] {
  const base64 = [0, 1, 2].map((offset): [string, string] => {
    const encoded = Buffer.from('x'.repeat(offset) + value).toString('base64')
    return [`base64 after ${offset}`, encoded.slice([0, 2, 3][offset], Math.floor(((offset + value.length) * 8) / 6))]
  })
  return [
    ['plain', value],
    // The end of one is enough: what was cut off at its beginning was shown all the same.
    ['its end', value.slice(-16)],
    ['hex', Buffer.from(value).toString('hex')],
    ['url', encodeURIComponent(value).replaceAll('.', '%2E')],
    ...base64,
  ]
}
