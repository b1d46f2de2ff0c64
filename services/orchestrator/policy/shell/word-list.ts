// Tables of words, written as on a command line: between blanks and line breaks.

export const wordList = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export const wordSet = (text: string): ReadonlySet<string> => new Set(wordList(text))
