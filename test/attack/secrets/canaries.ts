import { randomBytes } from 'node:crypto'

export class Canaries {
  readonly #values = new Map<string, string>()
  #searched = 0

  plant(door: string, start = 'cnry.'): string {
    return this.add(door, `${start}${randomBytes(12).toString('hex')}`)
  }

  add(door: string, value: string): string {
    this.#values.set(door, value)
    return value
  }

  get count(): number {
    return this.#values.size
  }

  get searched(): number {
    return this.#searched
  }

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
    // A value without its beginning is still a leak.
    ['its end', value.slice(-16)],
    ['hex', Buffer.from(value).toString('hex')],
    ['url', encodeURIComponent(value).replaceAll('.', '%2E')],
    ...base64,
  ]
}
