import { describe, expect, test } from 'vitest'
import { composeDocuments } from '../../controller/bounded-yaml.ts'
import { atOnce } from '../../platform/async/time-slices.ts'

const KIB = 1024
const composed = (text: string) => {
  const { documents, excess } = atOnce(composeDocuments(text))
  return { documents: documents.map((document) => document.toJS() as unknown), excess }
}
const comment = `# ${'c'.repeat(97)}\n`
const commented = (kib: number) => comment.repeat(Math.floor((kib * KIB) / comment.length))

describe('composeDocuments', () => {
  test.each(['---\n', '...\n'])('reads many documents, separated by %j, above the limit of one', (mark) => {
    const texts = ['a', 'b', 'c', 'd'].map((name) => `${commented(200)}name: ${name}\n`)
    expect(composed(texts.join(mark))).toEqual({
      documents: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
      excess: null,
    })
  })

  test('stops at the first document that is too long', () => {
    const first = `${commented(200)}name: a\n`
    const { excess } = composed(`${first}---\nname: ${'x y\n  '.repeat(60 * KIB)}\n---\nname: c\n`)
    expect(excess).toMatchObject({ code: 'too-many-values', message: 'more than 256 KiB in a document' })
    expect(excess!.offset).toBeGreaterThan(first.length)
    expect(excess!.offset).toBeLessThanOrEqual(first.length + 256 * KIB)
  })

  test('reports a long document of which little is left after the cut', () => {
    expect(composed(`name: ${'x'.repeat(256 * KIB)}`).excess).not.toBeNull()
    expect(composed(`name: ${'x'.repeat(256 * KIB - 20)}`).excess).toBeNull()
  })
})
