import { describe, expect, test } from 'vitest'
import { DecisionGate } from '../../../../web/parts/keys/decision-gate.ts'
import { keyOf, KeyReader, KeyRegistry, pressOf, type Press } from '../../../../web/parts/keys/key-reader.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrl: false,
  meta: false,
  alt: false,
  isTyping: false,
  at: 0,
  ...more,
})
const readAll = (...presses: Press[]) => {
  const reader = new KeyReader()
  return presses.map((each) => reader.read(each))
}

describe('keys', () => {
  test('are not turned into capitals by Caps Lock', () => {
    const keys = [
      ['A', false],
      ['a', true],
      ['a', false],
      ['A', true],
      ['Enter', true],
      ['?', true],
    ] as const
    expect(keys.map(([key, shiftKey]) => keyOf({ key, shiftKey }))).toEqual(['a', 'A', 'a', 'A', 'Enter', '?'])
  })

  test('form sequences after g', () => {
    expect(readAll(press('g'), press('i', { at: 1000 }), press('i', { at: 1100 }))).toEqual([null, 'g i', 'i'])
  })

  test('do nothing if the second one of a sequence is late', () => {
    expect(readAll(press('g'), press('a', { at: 1600 }), press('a', { at: 1700 }))).toEqual([null, null, 'a'])
    expect(readAll(press('g'), press('a', { at: 6000 }))).toEqual([null, 'a'])
  })

  test('keep a sequence over a repeated first key and a lone modifier', () => {
    expect(readAll(press('g'), press('g'), press('Shift'), press('a'))).toEqual([null, null, null, 'g a'])
  })

  test('are text in fields, except Ctrl K and Esc', () => {
    const typing = { isTyping: true }
    const all = readAll(
      press('a', typing),
      press('g', typing),
      press('k', { ...typing, ctrl: true }),
      press('Escape', typing),
    )
    expect(all).toEqual([null, null, 'Ctrl K', 'Esc'])
  })

  test('distinguish capital letters and ignore lone modifiers', () => {
    expect(readAll(press('Shift'), press('A'), press('a', { alt: true }), press('k', { meta: true }))).toEqual([
      null,
      'A',
      null,
      'Ctrl K',
    ])
  })
})

describe('modifiers', () => {
  const event = (key: string, ...held: string[]) =>
    pressOf(
      {
        key,
        ctrlKey: held.includes('Ctrl'),
        metaKey: held.includes('Meta'),
        altKey: held.includes('Alt'),
        shiftKey: held.includes('Shift'),
        timeStamp: 0,
        getModifierState: (name) => held.includes(name),
      },
      false,
    )

  test('that make a sign leave its key', () => {
    expect(readAll(event('[', 'Ctrl', 'Alt', 'AltGraph'), event('.', 'Alt'))).toEqual(['[', null])
  })

  test('of browsers leave decisions alone', () => {
    expect(readAll(event('a', 'Ctrl'), event('K', 'Ctrl', 'Shift'), event('A', 'CapsLock'))).toEqual([
      'Ctrl A',
      null,
      'a',
    ])
  })
})

describe('bindings', () => {
  const binding = (keys: string, run: () => void = () => undefined) => ({ keys, does: `does ${keys}`, run })

  test('of the most recent part win until it leaves', () => {
    const ran: string[] = []
    const registry = new KeyRegistry()
    registry.add([binding('a', () => ran.push('page'))])
    const remove = registry.add([binding('a', () => ran.push('dialog'))])
    registry.run('a')
    remove()
    registry.run('a')
    expect(ran).toEqual(['dialog', 'page'])
    expect(registry.run('z')).toBe(false)
  })

  test('rest behind a dialog', () => {
    const ran: string[] = []
    const registry = new KeyRegistry()
    registry.add([binding('a', () => ran.push('approve'))])
    const close = registry.rest()
    registry.add([binding('d', () => ran.push('deny'))])
    expect([registry.run('a'), registry.run('d')]).toEqual([false, false])
    close()
    expect([registry.run('a'), ran]).toEqual([true, ['approve']])
  })

  test('are listed once per key', () => {
    const registry = new KeyRegistry()
    registry.add([binding('a'), binding('d')])
    registry.add([binding('a')])
    expect(registry.listed().map(({ keys }) => keys)).toEqual(['a', 'd'])
  })

  test('of single keys can be turned off', () => {
    const ran: string[] = []
    const registry = new KeyRegistry()
    registry.add([binding('a', () => ran.push('a')), binding('Ctrl K', () => ran.push('bar'))])
    registry.areSingleKeysOn = false
    expect([registry.run('a'), registry.run('Ctrl K'), ran]).toEqual([false, true, ['bar']])
  })
})

describe('a decision', () => {
  test('is refused for 400 ms after another request is shown', () => {
    const gate = new DecisionGate()
    gate.show('first', 1000)
    expect([gate.isAwake('first', 1399), gate.isAwake('first', 1400)]).toEqual([false, true])
    gate.show('second', 5000)
    expect([gate.isAwake('second', 5399), gate.sleepLeft(5399)]).toEqual([false, 1])
    expect(gate.isAwake('second', 5400)).toBe(true)
  })

  test('is refused for a request that is not on screen', () => {
    const gate = new DecisionGate()
    gate.show('first', 0)
    gate.show('second', 1000)
    expect(gate.isAwake('first', 9000)).toBe(false)
  })

  test('does not sleep again when the same request is rendered again', () => {
    const gate = new DecisionGate()
    gate.show('first', 0)
    gate.show('second', 1000)
    gate.show('second', 1500)
    expect(gate.isAwake('second', 1500)).toBe(true)
  })

  test('sleeps after the list was empty', () => {
    const gate = new DecisionGate()
    gate.clear(1000)
    gate.show('first', 2000)
    expect(gate.isAwake('first', 2100)).toBe(false)
  })
})
