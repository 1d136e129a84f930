-- The interruptible table functions behave like the stock ones, which the host keeps in the global
-- `stock_table`: directed cases first, then a differential fuzz with a fixed seed.

local stock, ours = stock_table, table
local format, pack, unpack = stock_string.format, table.pack, table.unpack
local cases = tonumber(fuzz_cases) or 20000

for _, name in ipairs { "sort", "concat", "move", "insert", "remove" } do
  assert(ours[name] ~= stock[name], name .. " was not replaced")
end

-- The text of an error without its position, and without the name a function is known by.
local function plain_error(message)
  if type(message) == "userdata" then message = tostring(message) end
  message = stock_string.gsub(message, "^[^:]+:%d+: ", "")
  return (stock_string.gsub(message, "^(bad argument #%d+ to )'[^']*'", "%1"))
end

local function outcome(f, ...)
  local result = pack(pcall(f, ...))
  if not result[1] then result[2] = plain_error(result[2]) end
  return result
end

local function show(list)
  local parts = {}
  for i = 1, list.n or #list do parts[i] = tostring(list[i]) end
  return "(" .. stock.concat(parts, ", ") .. ")"
end

local function equal(a, b)
  if a.n ~= b.n then return false end
  for i = 1, a.n do
    if not rawequal(a[i], b[i]) then return false end
  end
  return true
end

local function fails(text, f, ...)
  local result = outcome(f, ...)
  assert(not result[1] and result[2] == text, text .. " expected, got " .. tostring(result[2]))
end

-- A list behind metamethods, which write down every access to it.
local function recorded(content, log, length)
  return setmetatable({}, {
    __index = function(_, i) log[#log + 1] = "get " .. i; return content[i] end,
    __newindex = function(_, i, v)
      log[#log + 1] = format("set %s %s", i, tostring(v))
      content[i] = v
    end,
    __len = function() log[#log + 1] = "len"; return length or #content end,
  })
end

local function copy(list)
  local result = {}
  for k, v in next, list do result[k] = v end
  return result
end

local function same_content(a, b)
  for k, v in next, a do if not rawequal(b[k], v) then return false end end
  for k in next, b do if a[k] == nil then return false end end
  return true
end

-- Calls both functions with a copy of a list: as it is, and behind metamethods.
local function same(name, list, ...)
  local first, second = copy(list), copy(list)
  local expected, actual = outcome(stock[name], first, ...), outcome(ours[name], second, ...)
  if rawequal(expected[2], first) then expected[2], actual[2] = "self", actual[2] == second and "self" end
  if not equal(expected, actual) or not same_content(first, second) then
    error(name .. show(pack(...)) .. " on " .. show(list) .. ": expected " .. show(expected)
      .. " " .. show(first) .. "; got " .. show(actual) .. " " .. show(second), 2)
  end
  local log1, log2 = {}, {}
  local first_proxy, second_proxy = recorded(copy(list), log1), recorded(copy(list), log2)
  expected, actual = outcome(stock[name], first_proxy, ...), outcome(ours[name], second_proxy, ...)
  if rawequal(expected[2], first_proxy) then
    expected[2], actual[2] = "self", actual[2] == second_proxy and "self"
  end
  log1.n, log2.n = #log1, #log2
  if not equal(expected, actual) or name ~= "sort" and not equal(log1, log2) then
    error(name .. show(pack(...)) .. " through metamethods on " .. show(list) .. ": expected "
      .. show(expected) .. " " .. show(log1) .. "; got " .. show(actual) .. " " .. show(log2), 2)
  end
end

do -- insert and remove
  local list = {}
  ours.insert(list, "a")
  ours.insert(list, 1, "b")
  ours.insert(list, 3, "c")
  assert(ours.concat(list) == "bac")
  assert(ours.remove(list, 1) == "b" and ours.remove(list) == "c" and #list == 1)
  assert(ours.remove({}) == nil and ours.remove({ [0] = "z" }, 0) == "z")
  fails("wrong number of arguments to 'insert'", ours.insert, {})
  fails("wrong number of arguments to 'insert'", ours.insert, {}, 1, 2, 3)
  fails("bad argument #2 to  (position out of bounds)", ours.insert, { 1 }, 3, 1)
  fails("object length is not an integer", ours.insert,
    setmetatable({}, { __len = function() return "x" end }), 1)
  -- A length at the end of the integers wraps around.
  for _, library in ipairs { stock, ours } do
    local odd = setmetatable({}, { __len = function() return math.maxinteger end })
    library.insert(odd, 20)
    assert(next(odd) == math.mininteger and rawget(odd, math.mininteger) == 20)
    odd = setmetatable({}, { __len = function() return -1 end })
    library.insert(odd, 30)
    assert(rawget(odd, 0) == 30)
  end
  for _, position in ipairs { -1, 0, 1, 2, 3, 4, 5, 9, math.maxinteger, math.mininteger, "2", "x",
    1.5, 2.0, {}, false } do
    same("insert", { 1, 2, 3 }, position, "new")
    same("remove", { 1, 2, 3 }, position)
    same("remove", {}, position)
  end
  same("insert", { 1, 2, 3 }, nil)
  same("insert", { 1, 2, 3 })
  same("remove", { 1, 2, 3 }, nil)
  same("remove", { 1, 2, 3 }, 2, "ignored")
end

do -- move
  local list = ours.move({ 1, 2, 3 }, 1, 3, 2)
  assert(ours.concat(list, ",") == "1,1,2,3")
  list = ours.move({ 1, 2, 3 }, 2, 3, 1)
  assert(ours.concat(list, ",") == "2,3,3")
  local target = {}
  assert(ours.move({ 1, 2, 3 }, 1, 3, 5, target) == target and target[5] == 1 and target[7] == 3)
  local max, min = math.maxinteger, math.mininteger
  local edges = { 1, 0, -1, 2, max, max - 1, min, min + 1, "1", "x", 1.5 }
  for _, from in ipairs(edges) do
    for _, to in ipairs(edges) do
      local small = math.type(from) == "integer" and math.type(to) == "integer"
        and to - from >= 0 and to - from < 10
      for _, position in ipairs(edges) do
        if small or to == "x" or from == "x" or from == 1.5 or to == 1.5 then
          same("move", { 1, 2, 3 }, from, to, position)
        end
      end
    end
  end
  fails("bad argument #3 to  (too many elements to move)", ours.move, {}, 0, max, 1)
  fails("bad argument #4 to  (destination wrap around)", ours.move, {}, 1, max, 2)
  -- Whether two tables overlap is for __eq to say, and the source needs to be readable only.
  for _, equal_tables in ipairs { true, false } do
    local logs = {}
    for n, library in ipairs { stock, ours } do
      local log = {}
      local meta = getmetatable(recorded({ 1, 2, 3 }, log))
      meta.__eq = function() log[#log + 1] = "eq"; return equal_tables end
      library.move(setmetatable({}, meta), 1, 3, 2, setmetatable({}, meta))
      log.n = #log
      logs[n] = log
    end
    assert(equal(logs[1], logs[2]))
  end
end

do -- concat
  assert(ours.concat({}) == "" and ours.concat({ "a", 1, 2.5 }, "-") == "a-1-2.5")
  assert(ours.concat({ "a", "b", "c" }, ",", 2) == "b,c")
  assert(ours.concat({ "a", "b" }, ",", 3) == "" and ours.concat({ "x" }, ",", 1, 1) == "x")
  assert(ours.concat({ [math.maxinteger] = "z" }, ",", math.maxinteger, math.maxinteger) == "z")
  local many = {}
  for i = 1, 10000 do many[i] = i end
  assert(ours.concat(many, ", ") == stock.concat(many, ", "))
  local long = ("x"):rep(100000)
  assert(#ours.concat({ long, long, long, long, long }, long) == 900000)
  fails("invalid value (nil) at index 2 in table for 'concat'", ours.concat, { 1 }, "", 1, 2)
  fails("invalid value (table) at index 1 in table for 'concat'", ours.concat, { {} })
  for _, arguments in ipairs { { nil }, { "," }, { 1 }, { {} }, { ",", 2 }, { ",", "2", "3" },
    { ",", 1.5 }, { ",", "x" }, { ",", 2, 5 }, { ",", -1, 2 }, { ",", 5, 1 },
    { ",", math.mininteger }, { ",", math.maxinteger }, { ",", 3, 3 }, { nil, 2, nil } } do
    same("concat", { "a", "b", "c" }, unpack(arguments, 1, 3))
  end
end

do -- sort
  local function check(list, comparator)
    local sorted = copy(list)
    ours.sort(sorted, comparator)
    local before = comparator or function(a, b) return a < b end
    local counts = {}
    for i = 1, #list do
      assert(i == 1 or not before(sorted[i], sorted[i - 1]), "out of order")
      counts[list[i]] = (counts[list[i]] or 0) + 1
      counts[sorted[i]] = (counts[sorted[i]] or 0) - 1
    end
    for _, count in next, counts do assert(count == 0, "not a permutation") end
  end
  local function descending(a, b) return a > b end
  for size = 0, 40 do
    local up, down, equal_values, organ = {}, {}, {}, {}
    for i = 1, size do
      up[i], down[i], equal_values[i], organ[i] = i, -i, 7, math.min(i, size - i)
    end
    for _, list in ipairs { up, down, equal_values, organ } do
      check(list)
      check(list, descending)
    end
  end
  local large, words = {}, {}
  for i = 1, 20000 do
    large[i] = (i * 7919) % 10007 / 2
    words[i] = "w" .. (i * 7919) % 10007
  end
  check(large)
  check(large, descending)
  check(words)
  ours.sort(large)
  check(large)
  check(large, descending)
  -- An input that keeps the median of three close to an end.
  local hard = {}
  for i = 1, 5000 do hard[i] = i % 2 == 1 and i or 5000 + i end
  check(hard)
  -- A contradictory order is noticed or yields something, but reads nothing outside of the list.
  for size = 1, 40 do
    local list = {}
    for i = 1, size do list[i] = i end
    local function always(a, b) assert(a and b); return true end
    same("sort", list, always)
    if size > 3 then fails("invalid order function for sorting", ours.sort, copy(list), always) end
    ours.sort(copy(list), function(a, b) assert(a and b); return false end)
  end
  fails("bad argument #1 to  (array too big)", ours.sort,
    setmetatable({}, { __len = function() return math.maxinteger end }))
  fails("bad argument #2 to  (function expected, got number)", ours.sort, { 1, 2 }, 5)
  ours.sort({ 1 }, 5)
  fails("stop", ours.sort, { 1, 2 }, function() error("stop", 0) end)
  same("sort", { 3, "x" })
  same("sort", { 1, 2, "x", 4 })
  same("sort", { {}, {} })
  same("sort", { 3, 1, 2 }, nil)
  local ordered = setmetatable({}, { __lt = function(a, b) return a.key < b.key end })
  local objects = {}
  for i = 1, 50 do objects[i] = setmetatable({ key = i * 37 % 53 }, getmetatable(ordered)) end
  ours.sort(objects)
  for i = 2, 50 do assert(objects[i - 1].key < objects[i].key) end
end

-- What is no table has to have the metamethods that the function needs.
for _, name in ipairs { "insert", "remove", "move", "concat", "sort" } do
  for _, value in ipairs { 1, "text", true, print } do
    local expected = outcome(stock[name], value, 1, 1, 1)
    assert(equal(expected, outcome(ours[name], value, 1, 1, 1)))
  end
  assert(equal(outcome(stock[name]), outcome(ours[name])))
  assert(equal(outcome(stock[name], nil, 1, 2, 3), outcome(ours[name], nil, 1, 2, 3)))
end

-- Random lists and arguments. A generator of its own keeps the cases the same everywhere.
local state = tonumber(fuzz_seed) or 20240607
local function random(n)
  state = (state * 6364136223846793005 + 1442695040888963407)
  return (state >> 33) % n + 1
end
local function numbers(size, range)
  local list = {}
  for i = 1, size do list[i] = random(range) end
  return list
end
local function position() return random(14) - 3 end

for case = 1, cases // 10 do
  local list = numbers(random(10) - 1, 9)
  if case % 7 == 0 then list[random(10)] = nil end
  same("insert", list, position(), "new")
  same("insert", list, "new")
  same("remove", list, position())
  same("remove", list)
  same("move", list, position(), position(), position())
  if case % 5 == 0 then list[random(10)] = {} end
  same("concat", list, ",", position(), position())
  same("concat", list)
  same("sort", list)
  list = numbers(random(20), 12)
  same("sort", list)
  -- Up to a hundred elements the comparisons themselves are the same, even contradictory ones.
  local calls = {}
  for n, library in ipairs { stock, ours } do
    local log, seed = {}, case
    local result = outcome(library.sort, copy(list), function(a, b)
      log[#log + 1] = a .. "<" .. b
      seed = seed * 1103515245 + 12345 & 0x7FFFFFFF
      if case % 3 == 0 then return seed >> 16 & 1 == 0 end
      if case % 3 == 1 then return a <= b end
      return a < b
    end)
    log[#log + 1] = tostring(result[2])
    log.n = #log
    calls[n] = log
  end
  assert(equal(calls[1], calls[2]))
end
for _ = 1, cases // 200 do
  local list = numbers(random(300), 1000)
  local sorted = copy(list)
  ours.sort(sorted)
  stock.sort(list)
  assert(stock.concat(list, ",") == stock.concat(sorted, ","))
end
