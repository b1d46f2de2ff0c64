import { expect, test } from 'vitest'
import { applyPreference, readPreference, writePreference } from '../../../../web/frame/preferences/preferences.ts'

function storageOf() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}
const blocked = {
  getItem: () => {
    throw new Error('blocked')
  },
  setItem: () => {
    throw new Error('blocked')
  },
}

test('keeps a choice in the browser', () => {
  const storage = storageOf()
  expect(readPreference(storage, 'theme')).toBe('system')
  writePreference(storage, 'theme', 'dark')
  expect(readPreference(storage, 'theme')).toBe('dark')
})

test('ignores a stored value that is no choice, and a blocked storage', () => {
  const storage = storageOf()
  writePreference(storage, 'keys', 'perhaps')
  expect(readPreference(storage, 'keys')).toBe('on')
  writePreference(blocked, 'rows', 'roomy')
  expect(readPreference(blocked, 'rows')).toBe('dense')
})

test('turns single keys off, and marks the root element with the theme', () => {
  const targets = { dataset: {} as Record<string, string>, keys: { areSingleKeysOn: true } }
  applyPreference(targets, 'keys', 'off')
  applyPreference(targets, 'theme', 'dark')
  expect(targets).toEqual({ dataset: { theme: 'dark' }, keys: { areSingleKeysOn: false } })
})
