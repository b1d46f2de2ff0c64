import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../support/root.ts'

type Rgb = [red: number, green: number, blue: number]
type Tokens = Map<string, Rgb>

const css = readFileSync(join(root, 'web/look/tokens.css'), 'utf8')
const pairs = [...css.matchAll(/--([\w-]+): light-dark\(#([\da-f]{6}), #([\da-f]{6})\);/g)]

const rgb = (hex: string): Rgb => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb
const themes: Record<string, Tokens> = {
  light: new Map(pairs.map(([, name, light]) => [name!, rgb(light!)])),
  dark: new Map(pairs.map(([, name, , dark]) => [name!, rgb(dark!)])),
}

/** Relative luminance as in WCAG 2.2. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(tokens: Tokens, text: string, ground: string): number {
  const [lighter, darker] = [text, ground].map((name) => luminance(tokens.get(name)!)).sort((a, b) => b - a)
  return (lighter! + 0.05) / (darker! + 0.05)
}

const GROUNDS = ['canvas', 'paper', 'sunk']
const TEXTS = ['ink', 'soft', 'accent', 'ok', 'wait', 'drift', 'fail', 'idle']
const TINTS = ['accent', 'ok', 'wait', 'drift', 'fail']

/** Pairs of text and ground that the page uses. */
const textPairs = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground])),
  ...TINTS.flatMap((tint) => [tint, 'ink'].map((text) => [text, `${tint}-bg`])),
  ['on-accent', 'accent'],
] as [string, string][]

describe.each(Object.entries(themes))('the %s theme', (name, tokens) => {
  test('has at least 4.96 to 1 for text, 6.68 when dark', () => {
    const least = name === 'dark' ? 6.675 : 4.955
    const low = textPairs
      .map(([text, ground]) => ({ text, ground, ratio: contrast(tokens, text, ground) }))
      .filter(({ ratio }) => ratio < least)
    expect(low).toEqual([])
  })

  test('has at least 3 to 1 for the edges of controls', () => {
    expect(['canvas', 'paper'].filter((ground) => contrast(tokens, 'edge', ground) < 3)).toEqual([])
  })
})

test('gives every colour in both themes', () => {
  const colours = [...css.matchAll(/--([\w-]+):[^;]*#/g)].map(([, token]) => token)
  expect(colours).toEqual(pairs.map(([, token]) => token))
  expect(pairs.length).toBe(19)
})
