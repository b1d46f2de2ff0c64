import { expect, test } from 'vitest'
import { MatchReader } from '../../../../services/code-index/agentic/match-reader.ts'

const OUTPUT = Buffer.from('a\n.ts\x001-0-function café() {\na\n.ts\x002:18:  return 2:3:4\na\n.ts\x003-31-}\n')

test.each([OUTPUT.length, 1, 7])('reads output that arrives in parts of %i bytes', (size) => {
  const reader = new MatchReader(1, 10)
  for (let from = 0; from < OUTPUT.length; from += size) reader.read(OUTPUT.subarray(from, from + size))
  const match = {
    file_path: 'a\n.ts',
    line_number: 2,
    content: '  return 2:3:4',
    context_before: ['function café() {'],
    context_after: ['}'],
  }
  expect(reader.end()).toEqual([{ file: 'a\n.ts', number: 2, offset: 18, match, isLong: false }])
})
