import { expect, test } from 'vitest'
import { LineCutter } from '../../bridge/lines.ts'

function cut(chunks: (string | Buffer)[], longest?: number) {
  const lines: string[] = []
  const dropped: number[] = []
  const cutter = new LineCutter(
    (line) => lines.push(line),
    (length) => dropped.push(length),
    longest,
  )
  for (const chunk of chunks) cutter.take(Buffer.from(chunk))
  cutter.end()
  return { lines, dropped }
}

test('emits whole lines from any chunks', () => {
  expect(cut(['a', 'b\nc\n', '\n \r\n', 'd\r\n', 'e']).lines).toEqual(['ab', 'c', 'd', 'e'])
})

test('joins a character that is split between chunks', () => {
  const bytes = Buffer.from('é€😀\n')
  expect(cut([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual(['é€😀'])
})

test('drops an endless line and emits the next', () => {
  expect(cut(['12345', '67890', '1\nshort\n', '12345678901'], 10)).toEqual({ lines: ['short'], dropped: [11, 11] })
})
