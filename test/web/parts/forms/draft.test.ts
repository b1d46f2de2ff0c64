import { expect, test } from 'vitest'
import { readDraft, writeDraft, type DraftStorage } from '../../../../web/parts/forms/draft.ts'
import { storageOf } from '../../../../web/parts/forms/storage.ts'

function storage(): DraftStorage & { stored: Map<string, string> } {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  }
}

test('keeps a draft until it is empty', () => {
  const place = storage()
  writeDraft(place, 'agent/1', 'Publish 4.2.0')
  expect(readDraft(place, 'agent/1')).toBe('Publish 4.2.0')
  expect(readDraft(place, 'agent/2')).toBe('')
  writeDraft(place, 'agent/1', '')
  expect(place.stored.size).toBe(0)
})

test('works without storage', () => {
  const refuse = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  const blocked = { getItem: refuse, setItem: refuse, removeItem: refuse }
  writeDraft(blocked, 'agent/1', 'text')
  expect(readDraft(blocked, 'agent/1')).toBe('')
})

test('keeps drafts until a reload if the browser blocks its storage', () => {
  const blocked = () => {
    throw new Error('blocked')
  }
  writeDraft(storageOf(blocked), 'deny/a', 'no')
  expect(readDraft(storageOf(blocked), 'deny/a')).toBe('no')
  writeDraft(storageOf(blocked), 'deny/a', '')
  expect(readDraft(storageOf(blocked), 'deny/a')).toBe('')
})
