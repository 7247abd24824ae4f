/** A comment, a text, a quoted name or a body in dollars, in which a semicolon ends nothing; otherwise one character. */
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]*)\$[\s\S]*?\$\1\$|\b\w+|[\s\S]/g
const comment = /^(?:--|\/\*)/

/**
 * The statements of a file. Citus sends some statements to other servers in the words in which they came, so each has to come alone. A body
 * of a function stands in dollars: `begin atomic` is refused.
 */
export function statementsIn(text: string): string[] {
  const statements: string[] = []
  let [statement, isEmpty, before] = ['', true, '']
  const end = () => {
    if (!isEmpty) statements.push(statement.trim())
    statement = ''
    isEmpty = true
  }
  for (const [word] of text.matchAll(token)) {
    if (word === ';') {
      end()
      continue
    }
    statement += word
    if (comment.test(word) || word.trim() === '') continue
    if (before.toLowerCase() === 'begin' && word.toLowerCase() === 'atomic')
      throw new Error('write the body of the function in dollars, without begin atomic')
    before = word
    isEmpty = false
  }
  end()
  return statements
}
