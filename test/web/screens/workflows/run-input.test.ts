import { expect, test } from 'vitest'
import { taskOf } from '../../../../web/screens/workflows/run-input.ts'

test('leaves out what is empty', () => {
  expect(taskOf({ title: ' ', body: '', variables: '\n' })).toEqual({})
})

test('reads one variable a line', () => {
  expect(taskOf({ title: 'Login fails', body: 'x', variables: 'area = auth\n\nquery=a=b' })).toEqual({
    title: 'Login fails',
    body: 'x',
    metadata: { area: 'auth', query: 'a=b' },
  })
})

test('names the line that is not a variable', () => {
  const read = (variables: string) => () => taskOf({ title: '', body: '', variables })
  expect(read('a=b\nnothing')).toThrow('line 2: expected key=value; got "nothing"')
  expect(read('=b')).toThrow(SyntaxError)
})
