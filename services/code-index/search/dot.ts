// Dot products with SIMD, which JavaScript lacks: a hand-written WebAssembly module multiplies many int8 rows with one
// int16 vector. A vector search over 70,713 chunks takes 2.3 ms of CPU time with it, and 16 ms with typed arrays.

/** Bytes of rows per call; fits the cache of one core. */
const BLOCK = 512 * 1024
const PAGE = 65_536
/** Maximum number of values of the query; a multiple of 8. */
export const LONGEST = 8192

const I32 = 0x7f
const V128 = 0x7b
const VOID = 0x40
const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const constant = (value: number): number[] => [0x41, value]
const add = [0x6a]
const step = (local: number, by: number): number[] => [...get(local), ...constant(by), ...add, ...set(local)]
const part = (at: number): number[] => [...get(SUM), 0xfd, 0x1b, at]

// Indexes of parameters and locals.
const [ROW, END, QUERY, QUERY_END, OUT, DIM, SUM, AT, WITH] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const

/** For each row of DIM bytes from ROW to END, stores its dot product with the query in 32 bits at OUT. */
const CODE = [
  [2, 1, V128, 2, I32],
  [0x02, VOID, 0x03, VOID],
  [...get(ROW), ...get(END), 0x4f, 0x0d, 1], // exit if ROW >= END
  [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0), ...set(SUM)],
  [...get(ROW), ...set(AT), ...get(QUERY), ...set(WITH)],
  [0x03, VOID],
  [...get(SUM), ...get(AT), 0xfd, 0x01, 0, 0], // load 8 bytes of the row, widened to 16 bits
  [...get(WITH), 0xfd, 0x00, 0, 0], // load 8 values of the query
  [0xfd, 0xba, 0x01, 0xfd, 0xae, 0x01, ...set(SUM)], // multiply, add pairs, add to SUM
  [...step(AT, 8), ...step(WITH, 16)],
  [...get(WITH), ...get(QUERY_END), 0x49, 0x0d, 0, 0x0b],
  [...get(OUT), ...part(0), ...part(1), ...add, ...part(2), ...add, ...part(3), ...add, 0x36, 2, 0],
  [...get(ROW), ...get(DIM), ...add, ...set(ROW), ...step(OUT, 4)],
  [0x0c, 0, 0x0b, 0x0b, 0x0b],
].flat()

const name = (text: string): number[] => [text.length, ...Buffer.from(text)]
const section = (id: number, ...content: number[]): number[] => [id, ...leb(content.length), ...content]
const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)])

const MODULE = Uint8Array.from(
  [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, 1, 0x60, 6, I32, I32, I32, I32, I32, I32, 0),
    section(2, 1, ...name('m'), ...name('m'), 2, 0, 1),
    section(3, 1, 0),
    section(7, 1, ...name('f'), 0, 0),
    section(10, 1, ...leb(CODE.length), ...CODE),
  ].flat(),
)

/** The types of Node do not declare WebAssembly. */
interface Wasm {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer }
  Instance: new (module: object, given: object) => { exports: { f(...numbers: number[]): void } }
}
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm }

export type Dots = (rows: Int8Array, query: Int16Array, into: Int32Array) => void

/** Returns null without SIMD support. Rows must be as long as the query, which has at most `LONGEST` values. */
export function dots(): Dots | null {
  if (!wasm.validate(MODULE)) return null
  const outAt = LONGEST * 2
  const rowsAt = outAt + BLOCK
  // The sums need at most BLOCK bytes. The extra page covers reads past the last row.
  const memory = new wasm.Memory({ initial: Math.ceil((rowsAt + BLOCK) / PAGE) + 1 })
  const { f: scan } = new wasm.Instance(new wasm.Module(MODULE), { m: { m: memory } }).exports
  const query16 = new Int16Array(memory.buffer, 0, LONGEST)
  const block = new Int8Array(memory.buffer, rowsAt, BLOCK)
  return (rows, query, into) => {
    const dim = query.length
    const most = Math.min(BLOCK / 4, Math.floor(BLOCK / dim))
    const whole = Math.ceil(dim / 8) * 8
    // Zeros cancel the bytes read past the end of a row.
    query16.fill(0, 0, whole).set(query)
    for (let row = 0; row < into.length; row += most) {
      const count = Math.min(most, into.length - row)
      block.set(rows.subarray(row * dim, (row + count) * dim))
      scan(rowsAt, rowsAt + count * dim, 0, whole * 2, outAt, dim)
      into.set(new Int32Array(memory.buffer, outAt, count), row)
    }
  }
}
