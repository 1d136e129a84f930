-- The interruptible string functions behave like the stock ones, which the host keeps in the global
-- `stock_string`: directed cases first, then a differential fuzz with a fixed seed.

local stock, ours = stock_string, string
local cases = tonumber(fuzz_cases) or 20000

for _, name in ipairs { "find", "match", "gmatch", "gsub", "rep" } do
  assert(ours[name] ~= stock[name], name .. " was not replaced")
end

-- The text of an error without its position, and without the name a function is known by.
local function plain_error(message)
  if type(message) ~= "string" then return message end
  message = stock.gsub(message, "^[^:]+:%d+: ", "")
  return (stock.gsub(message, "^(bad argument #%d+ to )'[^']*'", "%1"))
end

local function outcome(f, ...)
  local result = table.pack(pcall(f, ...))
  if not result[1] then
    -- A host may turn errors into objects; their text is what counts.
    result[2] = plain_error(type(result[2]) == "userdata" and tostring(result[2]) or result[2])
  end
  return result
end

local function show(...)
  local parts = table.pack(...)
  for i = 1, parts.n do
    parts[i] = type(parts[i]) == "string" and stock.format("%q", parts[i]) or tostring(parts[i])
  end
  return table.concat(parts, ", ", 1, parts.n)
end

local function same(name, ...)
  local expected, actual = outcome(stock[name], ...), outcome(ours[name], ...)
  local equal = expected.n == actual.n
  for i = 1, expected.n do equal = equal and rawequal(expected[i], actual[i]) end
  if not equal then
    error(name .. "(" .. show(...) .. "): expected " .. show(table.unpack(expected, 1, expected.n))
      .. "; got " .. show(table.unpack(actual, 1, actual.n)), 2)
  end
end

-- All matches of an iterator, up to a limit, in one list.
local function collect(library)
  return function(...)
    local all = {}
    local iterator = library.gmatch(...)
    for _ = 1, 200 do
      local match = table.pack(iterator())
      if match.n == 0 then break end
      for i = 1, match.n do all[#all + 1] = tostring(match[i]) end
    end
    return table.concat(all, "|")
  end
end
stock.collect, ours.collect = collect(stock), collect(ours)

local function fails(text, f, ...)
  local result = outcome(f, ...)
  assert(not result[1] and result[2] == text, show(text, result[2]))
end

do -- find and match
  local find, match = ours.find, ours.match
  assert(find("hello world", "wor") == 7 and select(2, find("hello world", "wor")) == 9)
  assert(find("a.b", ".", 1, true) == 2 and find("a.b", "%.") == 2)
  assert(find("", "") == 1 and find("abc", "", 4) == 4 and find("abc", "", 5) == nil)
  assert(find("abc", "b", -2) == 2 and find("abc", "a", -2) == nil and find("abc", "a", -100) == 1)
  assert(find("abc", "c", math.maxinteger) == nil and find("abc", "a", math.mininteger) == 1)
  assert(find("a\0b\0c", "\0c") == 4 and find("a\0b", "%z") == 2)
  assert(find("aXb", "^X") == nil and find("aXb", "^X", 2) == 2)
  assert(match("key = value", "^(%w+)%s*=%s*(%w+)$") == "key")
  assert(match("  x", "()x()") == 3)
  assert(match("THE (quick) fox", "%((%a+)%)") == "quick")
  assert(match("f(a(b)c)d)", "%b()") == "(a(b)c)")
  assert(match("THE (quick) fox", "%f[%a]%a+%f[%A]") == "THE")
  assert(match([[say "it's" so]], [[(["'])(.-)%1]]) == '"')
  assert(match(12345, "3(.)") == "4")
  assert(match("x]y", "[]]") == "]" and match("a-b", "[a%-]+") == "a-")
  assert(find("a)", ")") == 2, "a pattern without specials is plain text")
end

do -- gmatch
  local words = {}
  for word in ours.gmatch("one two  three", "%a+") do words[#words + 1] = word end
  assert(table.concat(words, ",") == "one,two,three")
  local count = 0
  for _ in ours.gmatch("abc", "") do count = count + 1 end
  assert(count == 4)
  assert(ours.collect("abc", "b*") == stock.collect("abc", "b*"))
  assert(ours.gmatch("^a^a", "^a")() == "^a", "'^' is no anchor in gmatch")
  local iterator = ours.gmatch("ab", "%a")
  assert(coroutine.wrap(function() return iterator() end)() == "a")
  assert(coroutine.wrap(function() return iterator() end)() == "b")
  assert(select("#", iterator()) == 0 and select("#", iterator()) == 0)
end

do -- gsub
  local gsub = ours.gsub
  assert(gsub("hello", "l", "L") == "heLLo" and select(2, gsub("hello", "l", "L")) == 2)
  assert(gsub("hello", "", "-") == "-h-e-l-l-o-")
  assert(gsub("abc", "(b)", "[%1%0%%]") == "a[bb%]c")
  assert(gsub("abc", "()", "%1") == "1a2b3c4")
  assert(gsub("$name is $what", "%$(%w+)", { name = "Lua", what = false }) == "Lua is $what")
  assert(gsub("abc", "%w", function(c) if c == "b" then return 42 end end) == "a42c")
  assert(gsub("abc", "%w", "x", 2) == "xxc" and gsub("abc", "%w", "x", -1) == "abc")
  assert(gsub("aaa", "^a", "b") == "baa")
  local looked_up = {}
  gsub("ab", "%w", setmetatable({}, { __index = function(_, k) looked_up[#looked_up + 1] = k end }))
  assert(table.concat(looked_up) == "ab")
  local nested = gsub("abc", "%w", function(c) return (gsub(c .. c, c, "<%0>")) end)
  assert(nested == "<a><a><b><b><c><c>")
  local long = ("x"):rep(10000)
  assert(gsub(long, "y", "z") == long and gsub(long, "x", "yy") == ("yy"):rep(10000))
  fails("stop", gsub, "abc", "b", function() error("stop", 0) end)
end

do -- rep
  local rep = ours.rep
  assert(rep("ab", 3) == "ababab" and rep("ab", 3, ",") == "ab,ab,ab")
  assert(rep("", 1 << 40) == "" and rep("x", 0) == "" and rep("x", -1, "y") == "")
  assert(rep("x", 1, "y") == "x" and rep("", 3, "y") == "yy" and rep(7, 2) == "77")
  local big = rep("abc", 500000, "-")
  assert(#big == 4 * 500000 - 1 and big == table.concat({ "abc", "abc" }, "-") .. big:sub(8))
  for i = 1, #big - 4, 9973 do assert(big:byte(i) == big:byte(i + 4)) end
  fails("resulting string too large", rep, "x", 1 << 31)
  fails("resulting string too large", rep, "xx", math.maxinteger)
  fails("resulting string too large", rep, "x", 1 << 30, ",")
end

-- Errors, and cases at the limits: the stock functions are the reference.
local deep = ("a"):rep(300)
for _, arguments in ipairs {
  { "a", "%" }, { "a", "[a" }, { "a", "[^" }, { "a", "[]" }, { "a", "[a%" }, { "a", "[%]" },
  { "a", "%b" }, { "a", "%bx" }, { "xay", "%bxy" }, { "aaa", "%baa" }, { "a", "%f" },
  { "a", "%fa" }, { "a", "%f[a" }, { "a", "(a" }, { "a", "a)" }, { "a", "(a))" }, { "a", "%1" },
  { "a", "(%1)" }, { "a", "%0" }, { "a", "(a)%2" }, { "aa", "()%1" }, { "aa", "(a)%1" },
  { "b", "a%" }, { "b", "a[" }, { "", "[a" }, { "a", "a**" }, { "a*", "a%**" }, { "+", "+" },
  { "a$b", "a$b" }, { "a$", "a$$" }, { "a", "^" }, { "^a", "^^a" }, { "a", "$" }, { "", "^$" },
  { "a-z", "[a-]+" }, { "+,-", "[+--]+" }, { "b%z", "[a-%z]+" }, { "x", "[%a-z]+" },
  { "x^", "[x^]+" }, { "\xE4\xFF", "[\x80-\xFF]+" }, { "\xE4", "%a" }, { "a\0b", "[^\0]+" },
  { "a", ("()"):rep(32) }, { "a", ("()"):rep(33) }, { "a", ("("):rep(33) },
  { deep, ("a?"):rep(199) }, { deep, ("a?"):rep(200) }, { deep, ("a*"):rep(200) },
  { deep, ("a-"):rep(200) .. "b" }, { deep, ("(a"):rep(20) .. ("a)"):rep(20) },
  { deep, ("a"):rep(300) }, { "", ("a*"):rep(300) }, { deep, (".-"):rep(199) .. "$" },
  { 1, 1 }, { "a" }, {}, { {}, "a" }, { "a", {} }, { "a", "a", "x" }, { "a", "a", 1.5 },
  { "a", "a", "1" }, { "a.", ".", 2, true }, { "a.", ".", 2, false }, { nil, "a" },
} do
  local subject, pattern, init, plain = table.unpack(arguments, 1, 4)
  same("find", subject, pattern, init, plain)
  same("find", subject, pattern, init, true)
  same("match", subject, pattern, init)
  same("collect", subject, pattern, init)
  same("gsub", subject, pattern, "<%0>")
  same("gsub", subject, pattern, "<%1>")
  same("gsub", subject, pattern, {})
  same("gsub", subject, pattern, function() end)
end
for _, replacement in ipairs { "%", "%x", "%2", "%9", "%0%", "a%%", 7, true, {}, stock.upper, 1.5 } do
  same("gsub", "abc", "b", replacement)
  same("gsub", "abc", "(b)()", replacement)
  same("gsub", "abc", "x", replacement)
end
same("gsub", "abc", "b")
same("gsub", "abc", "b", true, "x")
same("gsub", "abc", "b", "x", "y")
same("gsub", "abc", "b", "x", 1.5)
same("gsub", "abc", "b", function() return {} end)
same("gsub", "abc", "b", { b = true })
same("gsub", "abc", "b", { b = stock.upper })
for _, arguments in ipairs { {}, { "x" }, { {}, 1 }, { "x", "y" }, { "x", 1.5 }, { "x", 2, {} },
  { "x", "3" }, { "x", 2, 5 }, { "x", math.mininteger }, { "", 5, "" }, { nil, 1 } } do
  same("rep", table.unpack(arguments, 1, 3))
end

do -- long subjects, which are matched in pieces
  local text = ("a"):rep(700)
  for _, pattern in ipairs { "a+", "%a+", "[%a_]+", "[^b]+", ".+", "a-$", "[a]+", "%w-$", "a*b",
    "(a+)%1$", "[^%s]-$", "[b-z]", "[^a]" } do
    for _, subject in ipairs { text, text .. "b", text .. " " .. text, "b" .. text } do
      same("find", subject, pattern)
      same("gsub", subject, pattern, "<%0>")
    end
  end
  for length = 250, 262 do
    local inner = ("x"):rep(length)
    for _, subject in ipairs { "(" .. inner .. ")", "(" .. inner, "((" .. inner .. ")" } do
      same("find", subject, "%b()")
      same("find", subject, "x+")
      same("find", subject, "[%w_]+%)")
      same("find", inner .. subject, "[x]+%(")
    end
  end
  local set = {}
  for i = 1, 300 do set[i] = stock.char(97 + i % 20) end
  set = table.concat(set)
  for _, pattern in ipairs { "[" .. set .. "]+", "[^" .. set .. "]+", "[" .. set .. "y-z%d]+" } do
    same("find", "abcxyz019 ", pattern)
    same("gsub", "abcxyz019 ", pattern, "-")
  end
  for _, size in ipairs { 32767, 32768, 32769, 70000 } do
    local needle = ("ab"):rep(size // 2) .. "c"
    same("find", "ab" .. needle, needle, 1, true)
    same("find", needle .. needle .. "x", needle .. "x", 1, true)
    same("find", needle:sub(1, -2), needle, 1, true)
    same("match", needle .. needle, "^(.-c)%1$")
  end
end

-- Random subjects, patterns and replacements over a small alphabet. A generator of its own keeps
-- the cases the same everywhere.
local state = tonumber(fuzz_seed) or 20240607
local function random(n)
  state = (state * 6364136223846793005 + 1442695040888963407)
  return (state >> 33) % n + 1
end
local function pick(list) return list[random(#list)] end

local letters = { "a", "b", "c", "a", "b", " ", "(", ")", "1", "-", "]", "\0", "B", "%", "^" }
local function subject()
  local parts = {}
  for i = 1, random(14) - 1 do parts[i] = pick(letters) end
  return table.concat(parts)
end
local set_parts = { "a", "b", "%a", "%d", "a-c", "^", "]", "-", "%]", "%S", "1-9", "%", "(", "\0" }
local function set()
  local parts = { "[", pick { "", "", "^" } }
  for _ = 1, random(3) do parts[#parts + 1] = pick(set_parts) end
  parts[#parts + 1] = pick { "]", "]", "]", "]", "]", "]", "]", "" }
  return table.concat(parts)
end
local singles = { "a", "b", "c", ".", ".", "%a", "%d", "%s", "%W", "%u", "%p", "%%", "%(", "1", "\0",
  " ", "]", "-", "%z", "%X", "%c", "%g", "%L" }
local specials = { "(", ")", "(", ")", "()", "%b()", "%bab", "%1", "%2", "%0", "$", "^", "%", "%b",
  "%f", "*", "[" }
local suffixes = { "", "", "", "*", "+", "-", "?" }
local function pattern()
  local parts = { pick { "", "", "", "^" } }
  for _ = 1, random(5) do
    local kind = random(12)
    if kind <= 6 then
      parts[#parts + 1] = pick(singles) .. pick(suffixes)
    elseif kind <= 8 then
      parts[#parts + 1] = set() .. pick(suffixes)
    elseif kind == 9 then
      parts[#parts + 1] = "%f" .. set()
    elseif kind == 10 then
      parts[#parts + 1] = "(" .. pick(singles) .. pick(suffixes) .. ")"
    else
      parts[#parts + 1] = pick(specials)
    end
  end
  return table.concat(parts)
end
local replacement_parts = { "x", "%0", "%1", "%1", "%2", "%%", "-", "", "%3", "%a", "%" }
local replacement_table = { a = "A", b = false, ["1"] = 1, [1] = "one", ab = "AB", ["("] = {} }
local function replacement()
  local kind = random(10)
  if kind == 1 then return replacement_table end
  if kind == 2 then
    return function(a, b) if a == "a" then return end return tostring(a) .. tostring(b) end
  end
  return pick(replacement_parts) .. pick { "", "", pick(replacement_parts) }
end
local function init() return pick { nil, 1, 2, 3, random(20) - 10, -1, 0 } end

for _ = 1, cases // 5 do
  local s, p = subject(), pattern()
  same("find", s, p, init())
  same("find", s, random(2) == 1 and subject():sub(1, random(3) - 1) or p, init(), true)
  same("match", s, p, init())
  same("collect", s, p, init())
  same("gsub", s, p, replacement(), pick { nil, nil, nil, random(4) - 1 })
end
for _ = 1, cases // 100 do
  same("rep", subject(), random(40) - 3, pick { nil, "", ",", subject() })
end

stock.collect, ours.collect = nil, nil
