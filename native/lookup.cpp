// Looks up the judged documents of a run in one pass: the rank of each, and how many documents each
// query returned, into arrays that the caller made.
//
// One `Ranker` ranks, and three readers push rows to it: of dicts, of columns, of lines. What is legal
// is ranked. They decline (None) what is an error, which the readers in Python then word: a score of
// NaN, a repeated document, a malformed line. They also decline the little that only Python can read,
// such as a number of a class of the user. After None the arrays hold nothing that may be used.
//
// The answer is the number of queries with a tied top, of which most of the first ranks have the
// score of another document; the number of queries with the document of their own id in the top;
// whether most documents tie only as floats; where ranks differ in the other orders of a tie; and, as
// asked, the documents of each query's top, and all scores by rank.
//
// Without judgments, identifiers are numbered, and lines and plain csv are read into columns.
//
// No user code runs in here: subclasses of str and float are read as what they are underneath, and
// numpy's numbers are asked by their own conversion. The GIL is released over text and bytes only.
// Another thread may change the arrays meanwhile, so that each bound is read once, and no sort trusts
// that text stays as it is.

#include <Python.h>

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <variant>
#include <utility>
#include <vector>

namespace {

using std::int32_t;
using std::int64_t;
using std::size_t;
using std::string_view;
using std::uint32_t;
using std::uint64_t;

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

constexpr size_t LONGEST_ID = 1 << 16;    // as in io/columns.py
constexpr std::ptrdiff_t LONGEST_CELL = 1 << 17;  // as in Python's csv
constexpr size_t LONGEST_WHOLE = 4000;    // digits; Python's int has a limit above
constexpr size_t SECRET_BYTES = 16;
constexpr size_t AHEAD = 8;  // how many rows ahead strings are fetched from memory
constexpr size_t TOP = 10;   // the ranks whose ties are counted; as in judgments/ranking.py
constexpr size_t HEAD_ROWS = 1300, HEAD_QUERIES = 10, HEAD_TOP = 4;  // as in io/rank_column.py
constexpr int64_t NOT_FOUND = -1;
constexpr long INTERFACE = 3;  // the version of what Python calls; as in io/core.py
constexpr char INDEX_NAME[] = "irx_measures.io._native.index";

struct Irregular {};  // thrown to decline

void require(bool regular) {
    if (!regular) throw Irregular{};
}

constexpr Py_ssize_t ssize(size_t size) { return static_cast<Py_ssize_t>(size); }

// A reference to an object that was made, which is given up with its owner.
struct GiveUp {
    void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Owned = std::unique_ptr<PyObject, GiveUp>;

Owned owned(PyObject* made) {
    if (!made) throw std::bad_alloc();
    return Owned(made);
}

void append(const Owned& list, const Owned& item) {
    if (PyList_Append(list.get(), item.get()) != 0) throw std::bad_alloc();
}

template <class... Items>
Owned tuple_of(const Items&... items) {
    return owned(PyTuple_Pack(sizeof...(items), items.get()...));
}

void prefetch(const void* at) {
#if defined(__GNUC__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

// ---- Identifiers and their index -------------------------------------------------------------

struct Id {
    string_view text;
    uint64_t hash;
};

bool equal(string_view a, string_view b) {
    return a.size() == b.size() && (a.data() == b.data() || a.compare(b) == 0);
}

uint64_t folded_product(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 Wide;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#else
    const uint64_t low = 0xFFFFFFFF;
    const uint64_t cross = (a >> 32) * (b & low) + (((a & low) * (b & low)) >> 32);
    const uint64_t other = (a & low) * (b >> 32) + (cross & low);
    return (a * b) ^ ((a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32));
#endif
}

template <class Word>
uint64_t word_at(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof(word));
    return word;
}

// A hash with two secrets, so that nobody can choose identifiers that collide. It is never 0.
class Hash {
   public:
    explicit Hash(const char* secrets)
        : first_(word_at<uint64_t>(secrets)), second_(word_at<uint64_t>(secrets + 8)) {}

    Id id(string_view text) const { return {text, (*this)(text)}; }

    uint64_t operator()(string_view text) const {
        const char* at = text.data();
        const size_t length = text.size();
        uint64_t state = first_, low = 0, high = 0;
        for (size_t left = length; left > 16; left -= 16, at += 16) {
            state = folded_product(word_at<uint64_t>(at) ^ second_,
                                   word_at<uint64_t>(at + 8) ^ state);
        }
        const char* end = text.data() + length;
        if (length >= 16) {
            low = word_at<uint64_t>(end - 16);
            high = word_at<uint64_t>(end - 8);
        } else if (length >= 8) {
            low = word_at<uint64_t>(at);
            high = word_at<uint64_t>(end - 8);
        } else if (length >= 4) {
            low = word_at<uint32_t>(at);
            high = word_at<uint32_t>(end - 4);
        } else if (length) {
            low = byte(at[0]) | byte(at[length / 2]) << 8 | byte(end[-1]) << 16;
        }
        state = folded_product(low ^ second_, high ^ state);
        return std::max<uint64_t>(folded_product(state ^ first_, length ^ second_), 1);
    }

   private:
    static uint64_t byte(char letter) { return static_cast<unsigned char>(letter); }

    uint64_t first_, second_;
};

// Groups of identifiers with a number each: the judged documents of every query with their place
// among the grades, and in the last group the queries with their number. Nothing changes in it once
// it is made, so that threads may share it.
class Index {
   public:
    // `sizes` has the number of identifiers of each group.
    Index(const Hash& hashed, const std::vector<size_t>& sizes, size_t cell_count)
        : hash(hashed), cells(cell_count) {
        size_t slots = 0;
        for (size_t size : sizes) {
            size_t room = 1;
            while (size && room < 3 * size) room *= 2;
            groups_.push_back({slots, room - 1});
            slots += room;
        }
        hashes_.resize(slots);
        entries_.resize(slots);
    }

    void add(size_t group, string_view text, int64_t number) {
        const Id id = hash.id(text);
        const Group place = groups_[group];
        size_t at = id.hash & place.mask;
        while (hashes_[place.start + at]) at = (at + 1) & place.mask;
        hashes_[place.start + at] = id.hash;
        entries_[place.start + at] = {text_.size(), text.size(), number};
        if (group == queries()) query_places_.push_back(place.start + at);
        text_.insert(text_.end(), text.begin(), text.end());
    }

    int64_t find(size_t group, const Id& id) const {
        const Group place = groups_[group];
        for (size_t at = id.hash & place.mask; hashes_[place.start + at];
             at = (at + 1) & place.mask) {
            if (hashes_[place.start + at] != id.hash) continue;
            const Entry& entry = entries_[place.start + at];
            if (equal(id.text, text_of(entry))) return entry.number;
        }
        return NOT_FOUND;
    }

    int64_t query(string_view text) const { return find(queries(), hash.id(text)); }

    size_t queries() const { return groups_.size() - 1; }

    // The identifier of a query; they were added in the order of their numbers.
    Id query_id(int64_t number) const {
        const size_t place = query_places_[static_cast<size_t>(number)];
        return {text_of(entries_[place]), hashes_[place]};
    }

    const Hash hash;
    const size_t cells;  // the number of grades, with those that pad the rows

   private:
    struct Group {
        size_t start, mask;
    };
    struct Entry {
        size_t first, length;
        int64_t number;
    };

    string_view text_of(const Entry& entry) const {
        return {text_.data() + entry.first, entry.length};
    }

    std::vector<Group> groups_;
    std::vector<uint64_t> hashes_;  // 0: free; every group has a free place, where a search ends
    std::vector<Entry> entries_;
    std::vector<char> text_;
    std::vector<size_t> query_places_;  // of each query, in `entries_`
};

// ---- UTF-8 -----------------------------------------------------------------------------------

bool is_ascii(string_view text) {
    uint64_t bits = 0;
    size_t at = 0;
    for (; text.size() - at >= 8; at += 8) bits |= word_at<uint64_t>(text.data() + at);
    for (; at < text.size(); ++at) bits |= static_cast<unsigned char>(text[at]);
    return !(bits & 0x8080808080808080u);
}

// Whether text is UTF-8 as Python decodes it: no surrogates, and nothing longer than necessary.
bool is_utf8(string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        const auto lead = static_cast<unsigned char>(text[at++]);
        if (lead < 0x80) continue;
        const size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || text.size() - at < more) return false;
        uint32_t code = lead & (0x3F >> more);
        for (size_t end = at + more; at < end; ++at) {
            const auto next = static_cast<unsigned char>(text[at]);
            if ((next & 0xC0) != 0x80) return false;
            code = code << 6 | (next & 0x3F);
        }
        if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000)) return false;
        if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return false;
    }
    return true;
}

bool is_text(PyObject* value) {
    return PyUnicode_CheckExact(value) || PyUnicode_Check(value);  // the first is quicker
}

string_view utf8_of(PyObject* value) {
    require(value && is_text(value));
    Py_ssize_t length;
    const char* text = PyUnicode_AsUTF8AndSize(value, &length);
    require(text);  // a lone surrogate is no text
    return {text, static_cast<size_t>(length)};
}

// ---- Columns ---------------------------------------------------------------------------------

// A contiguous array of one dimension, whose items have one of these formats and this size.
class Buffer {
   public:
    Buffer(PyObject* owner, const char* formats, size_t size, bool writable = false) {
        const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
        require(PyObject_GetBuffer(owner, &view_, flags) == 0);
        const char* format = view_.format ? view_.format : "B";
        if (view_.ndim != 1 || !format[0] || format[1] || !std::strchr(formats, format[0]) ||
            static_cast<size_t>(view_.itemsize) != size || view_.len < 0 ||
            reinterpret_cast<std::uintptr_t>(view_.buf) % size) {
            PyBuffer_Release(&view_);
            throw Irregular{};
        }
    }
    ~Buffer() { PyBuffer_Release(&view_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class Item>
    Item* items() const {
        return static_cast<Item*>(view_.buf);
    }
    size_t size() const { return static_cast<size_t>(view_.len / view_.itemsize); }
    string_view text() const { return {items<const char>(), size()}; }

   private:
    Py_buffer view_;
};

using Shared = std::shared_ptr<const Buffer>;

Hash hash_of(PyObject* secrets) {
    const Buffer bytes(secrets, "B", 1);
    require(bytes.size() == SECRET_BYTES);
    return Hash(bytes.text().data());
}

// Places and lengths; what is negative is as a size too large for anything.
template <class Integer>
class Integers {
   public:
    explicit Integers(PyObject* owner)
        : buffer_(std::make_shared<Buffer>(owner, "ilq", sizeof(Integer))) {}
    size_t size() const { return buffer_->size(); }
    size_t operator[](size_t row) const {
        return static_cast<size_t>(buffer_->items<const Integer>()[row]);
    }

   private:
    Shared buffer_;
};

// Identifiers in UTF-8 text, each with its first byte and its length.
class TextColumn {
   public:
    static constexpr bool needs_gil = false;  // to read it

    TextColumn(PyObject* text, PyObject* first, PyObject* length)
        : buffer_(std::make_shared<Buffer>(text, "B", 1)), first_(first), length_(length) {
        require(first_.size() == length_.size());
        text_ = buffer_->text();
        is_ascii_ = is_ascii(text_);
    }
    size_t size() const { return first_.size(); }
    string_view text(size_t row) const {
        const size_t first = first_[row], length = length_[row];
        require(first <= text_.size() && length <= text_.size() - first && length <= LONGEST_ID);
        const auto found = text_.substr(first, length);
        require(is_ascii_ || is_utf8(found));
        return found;
    }
    Id id(size_t row, const Hash& hash) const { return hash.id(text(row)); }
    void fetch(size_t row) const {
        const size_t first = first_[row];
        if (first < text_.size()) prefetch(text_.data() + first);
    }

   private:
    Shared buffer_;
    Integers<int64_t> first_, length_;
    string_view text_;
    bool is_ascii_;
};

// Identifiers as Python strings, in an array of objects.
class ObjectColumn {
   public:
    static constexpr bool needs_gil = true;

    explicit ObjectColumn(PyObject* objects)
        : buffer_(std::make_shared<Buffer>(objects, "O", sizeof(PyObject*))) {}
    size_t size() const { return buffer_->size(); }
    string_view text(size_t row) const { return utf8_of(buffer_->items<PyObject* const>()[row]); }
    Id id(size_t row, const Hash& hash) const { return hash.id(text(row)); }
    void fetch(size_t row) const { prefetch(buffer_->items<PyObject* const>()[row]); }

   private:
    Shared buffer_;
};

// Identifiers as numbers of distinct ones, which stand in another column. Each of these is read once,
// unless they outnumber the rows: a part of a run may have the distinct ones of the whole.
class CodedColumn {
   public:
    static constexpr bool needs_gil = true;

    CodedColumn(PyObject* codes, PyObject* names, const Hash& hash)
        : codes_(codes), names_(names), distinct_(names_.size()) {
        if (distinct_ > codes_.size()) return;
        ids_.reserve(distinct_);
        for (size_t at = 0; at < distinct_; ++at) ids_.push_back(names_.id(at, hash));
    }
    size_t size() const { return codes_.size(); }
    string_view text(size_t row) const {
        const size_t code = code_of(row);
        return ids_.empty() ? names_.text(code) : ids_[code].text;
    }
    Id id(size_t row, const Hash& hash) const {
        const size_t code = code_of(row);
        return ids_.empty() ? names_.id(code, hash) : ids_[code];
    }
    void fetch(size_t row) const {
        if (ids_.empty()) names_.fetch(code_of(row));
    }

   private:
    size_t code_of(size_t row) const {
        const size_t code = codes_[row];
        require(code < distinct_);
        return code;
    }

    Integers<int32_t> codes_;
    ObjectColumn names_;
    size_t distinct_;
    std::vector<Id> ids_;
};

using Column = std::variant<TextColumn, ObjectColumn, CodedColumn>;

size_t size_of(const Column& column) {
    return std::visit([](const auto& ids) { return ids.size(); }, column);
}

// A column from (objects,), from (codes, objects), or from (text, first, length).
Column column_of(PyObject* parts, const Hash& hash) {
    require(PyTuple_Check(parts));
    const auto part = [parts](Py_ssize_t at) { return PyTuple_GetItem(parts, at); };
    if (PyTuple_Size(parts) == 1) return ObjectColumn(part(0));
    if (PyTuple_Size(parts) == 2) return CodedColumn(part(0), part(1), hash);
    require(PyTuple_Size(parts) == 3);
    return TextColumn(part(0), part(1), part(2));
}

// ---- Ranking ---------------------------------------------------------------------------------

class WithoutGil {
   public:
    explicit WithoutGil(bool release) : saved_(release ? PyEval_SaveThread() : nullptr) {}
    ~WithoutGil() {
        if (saved_) PyEval_RestoreThread(saved_);
    }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

   private:
    PyThreadState* saved_;
};

// What is asked for: the arrays that the caller made, the depths of the tops, whether all scores are
// wanted, and whether a document with the id of its query is left out.
struct Asked {
    explicit Asked(PyObject* asked) {
        require(PyTuple_Check(asked) &&
                PyArg_ParseTuple(asked, "OOO!pp", &rank, &returned, &PyTuple_Type, &depths,
                                 &with_scores, &without_identical));
    }

    PyObject *rank, *returned, *depths;
    int with_scores, without_identical;
};

// The arrays: `rank` is zero for every cell, `returned` for every query.
class Results {
   public:
    Results(const Index& index, const Asked& asked)
        : rank_(asked.rank, "il", sizeof(int32_t), true),
          returned_(asked.returned, "ilq", sizeof(int64_t), true) {
        require(rank_.size() == index.cells && returned_.size() == index.queries());
    }
    int32_t& rank(int64_t cell) { return rank_.items<int32_t>()[cell]; }
    int64_t& returned(int64_t query) { return returned_.items<int64_t>()[query]; }
    void clear() {
        std::fill_n(rank_.items<int32_t>(), rank_.size(), 0);
        std::fill_n(returned_.items<int64_t>(), returned_.size(), 0);
    }

   private:
    Buffer rank_, returned_;
};

template <class Number>
Owned bytes_of(const std::vector<Number>& numbers) {
    return owned(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(numbers.data()),
                                           ssize(numbers.size() * sizeof(Number))));
}

// The orders of a tie beside trec_eval's, where documents of equal scores as floats are ordered by
// descending id: by the score as a double first, and then by ascending id, by descending id, or as
// the rows came. They differ from trec_eval's within ties only.
enum Order { ASCENDING, DESCENDING, GIVEN, ORDERS };

// The documents of each query's first ranks: how many letters each has, and their text.
struct Top {
    size_t depth;
    std::vector<std::vector<int64_t>> letters;
    std::vector<std::string> text;
};

int64_t letters_of(string_view text) {
    const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
    return static_cast<int64_t>(std::count_if(text.begin(), text.end(), begins));
}

// Ranks one query after the other: `start`, `add` for each document, `finish`.
class Ranker {
   public:
    Ranker(const Index& index, const Asked& asked)
        : index_(index),
          results_(index, asked),
          with_scores_(asked.with_scores != 0),
          without_identical_(asked.without_identical != 0),
          seen_(index.queries()) {
        for (Py_ssize_t at = 0; at < PyTuple_Size(asked.depths); ++at) {
            const Py_ssize_t depth = PyLong_AsSsize_t(PyTuple_GetItem(asked.depths, at));
            require(depth >= 0);
            tops_.push_back({static_cast<size_t>(depth), {}, {}});
            deepest_ = std::max(deepest_, tops_.back().depth);
        }
        clear();
    }

    bool has_seen(int64_t query) const {
        return query != NOT_FOUND && seen_[static_cast<size_t>(query)];
    }

    // Start a query; NOT_FOUND is one that is not judged, whose documents are not added. `distinct`
    // says whether it has no document twice in any case.
    void start(int64_t query, bool distinct = false) {
        query_ = query;
        distinct_ = distinct;
        ids_.clear();
        scores_.clear();
        exact_.clear();
        if (query == NOT_FOUND) return;
        require(!seen_[static_cast<size_t>(query)]);
        seen_[static_cast<size_t>(query)] = true;
        own_ = index_.query_id(query);
    }

    // Go on with a query, or start it.
    void turn_to(int64_t query) {
        if (query == query_) return;
        finish();
        start(query);
    }

    void add(const Id& id, double score) {
        if (without_identical_ && is_own(id)) return;
        const float single = static_cast<float>(score) + 0.0f;  // -0.0 ties with 0.0
        require(single == single);
        ids_.push_back(id);
        scores_.push_back(single);
        exact_.push_back(score);
    }

    void finish() {
        if (query_ == NOT_FOUND) return;
        require(ids_.size() <= static_cast<size_t>(std::numeric_limits<int32_t>::max()));
        results_.returned(query_) = static_cast<int64_t>(ids_.size());
        if (!distinct_) refuse_repeated();
        cells_.clear();
        for (const Id& id : ids_) cells_.push_back(index_.find(static_cast<size_t>(query_), id));
        sort_by_score();
        documents_ += rows_.size();
        size_t tied = 0;  // of the top
        for (size_t start = 0, end; start < rows_.size(); start = end) {
            const float score = scores_[rows_[start]];
            bool judged = false, rounded = false;
            for (end = start; end < rows_.size() && scores_[rows_[end]] == score; ++end) {
                judged |= cells_[rows_[end]] != NOT_FOUND;
                rounded |= exact_[rows_[end]] != exact_[rows_[start]];
            }
            if (end - start > 1 && (judged || start < deepest_)) rank_tie(start, end, rounded);
            if (judged) write_ranks(start, end);
            if (rounded) rounded_ += end - start;
            if (start < TOP && end - start > 1) tied += std::min(end, TOP) - start;
        }
        tied_tops_ += 2 * tied > std::min(rows_.size(), TOP);
        own_tops_ += has_own_in_top();
        for (Top& top : tops_) add_to(top);
        if (with_scores_) {
            auto& of_query = scores_by_rank_[static_cast<size_t>(query_)];
            of_query.reserve(rows_.size());
            for (const uint32_t row : rows_) of_query.push_back(scores_[row]);
        }
        query_ = NOT_FOUND;
    }

    // Forget all queries.
    void clear() {
        results_.clear();
        query_ = NOT_FOUND;
        std::fill(seen_.begin(), seen_.end(), false);
        documents_ = rounded_ = tied_tops_ = own_tops_ = 0;
        for (auto& ranks : ties_) ranks.clear();
        scores_by_rank_.assign(with_scores_ ? index_.queries() : 0, {});
        for (Top& top : tops_) {
            top.letters.assign(index_.queries(), {});
            top.text.assign(index_.queries(), {});
        }
    }

    // What is known beside the ranks, as a tuple; see `_native.pyi`.
    Owned answer() const {
        const Owned tops = owned(PyTuple_New(ssize(tops_.size())));
        for (size_t at = 0; at < tops_.size(); ++at) {
            PyTuple_SetItem(tops.get(), ssize(at), packed(tops_[at]).release());
        }
        return tuple_of(owned(PyLong_FromSize_t(tied_tops_)), owned(PyLong_FromSize_t(own_tops_)),
                        owned(PyBool_FromLong(rounded_ > documents_ / 2)),
                        tuple_of(bytes_of(ties_[ASCENDING]), bytes_of(ties_[DESCENDING]),
                                 bytes_of(ties_[GIVEN])),
                        tops, bytes_of(joined(scores_by_rank_)));
    }

   private:
    template <class Number>
    static std::vector<char> joined(const std::vector<std::vector<Number>>& of_queries) {
        std::vector<char> all;
        for (const auto& numbers : of_queries) {
            const auto start = reinterpret_cast<const char*>(numbers.data());
            all.insert(all.end(), start, start + numbers.size() * sizeof(Number));
        }
        return all;
    }

    static Owned packed(const Top& top) {
        std::vector<char> all = joined(top.letters);
        for (const std::string& text : top.text) all.insert(all.end(), text.begin(), text.end());
        return bytes_of(all);
    }

    // Whether a document has the id of the query.
    bool is_own(const Id& id) const { return id.hash == own_.hash && equal(id.text, own_.text); }

    // Whether such a document is in the top. Rows of equal scores need not be in order here: of a tie
    // the documents of greater ids come first.
    bool has_own_in_top() const {
        const auto is_it = [this](const Id& id) { return is_own(id); };
        const auto own = std::find_if(ids_.begin(), ids_.end(), is_it);
        if (own == ids_.end()) return false;
        const float score = scores_[static_cast<size_t>(own - ids_.begin())];
        size_t place = 0;
        for (const uint32_t row : rows_) {
            if (scores_[row] < score) break;
            place += scores_[row] > score || ids_[row].text > own_.text;
        }
        return place < TOP;
    }

    void add_to(Top& top) {
        const auto query = static_cast<size_t>(query_);
        for (size_t place = 0; place < rows_.size() && place < top.depth; ++place) {
            const string_view text = ids_[rows_[place]].text;
            top.letters[query].push_back(letters_of(text));
            top.text[query] += text;
        }
    }

    // Decline if two documents have the same hash: the reader in Python knows if they are equal.
    void refuse_repeated() {
        size_t room = 2;
        while (room < 2 * ids_.size()) room *= 2;
        if (hashes_.size() < room) hashes_.resize(room);
        std::fill_n(hashes_.begin(), room, 0);
        for (const Id& id : ids_) {
            size_t at = id.hash & (room - 1);
            while (hashes_[at]) {
                require(hashes_[at] != id.hash);
                at = (at + 1) & (room - 1);
            }
            hashes_[at] = id.hash;
        }
    }

    // Rows of equal scores stay as they came.
    void sort_by_score() {
        rows_.resize(ids_.size());
        const bool descending = std::is_sorted(scores_.rbegin(), scores_.rend());
        if (!descending) {
            keys_.clear();
            for (size_t row = 0; row < scores_.size(); ++row) {
                uint32_t bits;
                std::memcpy(&bits, &scores_[row], sizeof(bits));
                const uint32_t ascending = bits >> 31 ? ~bits : bits | 0x80000000u;
                keys_.push_back(static_cast<uint64_t>(~ascending) << 32 | row);
            }
            sort_keys();
        }
        for (size_t place = 0; place < rows_.size(); ++place) {
            rows_[place] = static_cast<uint32_t>(descending ? place : keys_[place]);
        }
    }

    // By the upper half of each key, digit by digit from the lowest. The lower half is the row, by
    // which the keys are ordered already.
    void sort_keys() {
        constexpr int BITS = 11, DIGITS = 3;
        constexpr size_t ROOM = size_t{1} << BITS, WORTH = 256;  // keys that are worth the counting
        if (keys_.size() < WORTH) return std::sort(keys_.begin(), keys_.end());
        sorted_keys_.resize(keys_.size());
        for (int digit = 0; digit < DIGITS; ++digit) {
            const auto of = [digit](uint64_t key) {
                return static_cast<size_t>(key >> (32 + BITS * digit)) & (ROOM - 1);
            };
            size_t places[ROOM + 1] = {};
            for (const uint64_t key : keys_) ++places[of(key) + 1];
            if (places[of(keys_[0]) + 1] == keys_.size()) continue;  // all have the same
            for (size_t at = 0; at < ROOM; ++at) places[at + 1] += places[at];
            for (const uint64_t key : keys_) sorted_keys_[places[of(key)]++] = key;
            keys_.swap(sorted_keys_);
        }
    }

    // Order the ranks from `start` to `end`, which are one tie, as trec_eval does, and note them in
    // the other orders. `rounded`: some of their scores differ as doubles.
    void rank_tie(size_t start, size_t end, bool rounded) {
        if (rounded) {
            const auto first = rows_.begin();
            std::sort(first + ssize(start), first + ssize(end), [this](uint32_t a, uint32_t b) {
                return exact_[a] != exact_[b] ? exact_[a] > exact_[b] : a < b;
            });
        }
        note(GIVEN, start, end);
        for (size_t from = start, to; from < end; from = to) {  // equal as doubles
            for (to = from + 1; to < end && exact_[rows_[to]] == exact_[rows_[from]];) ++to;
            sort_by_id(from, to);
            for (size_t place = from; place < to; ++place) {
                note_rank(ASCENDING, rows_[place], to - 1 - (place - from));
            }
        }
        if (!rounded) return;  // and trec_eval's order is gdeval's
        note(DESCENDING, start, end);
        sort_by_id(start, end);
    }

    // By descending id, as a heap, which stays within its bounds even if the text changes meanwhile.
    void sort_by_id(size_t start, size_t end) {
        if (end - start < 2) return;
        const auto first = rows_.begin() + ssize(start), last = rows_.begin() + ssize(end);
        std::partial_sort(first, last, last, [this](uint32_t a, uint32_t b) {
            return ids_[a].text > ids_[b].text;
        });
    }

    void note(Order order, size_t start, size_t end) {
        for (size_t place = start; place < end; ++place) note_rank(order, rows_[place], place);
    }

    void note_rank(Order order, uint32_t row, size_t place) {
        if (cells_[row] == NOT_FOUND) return;
        ties_[order].push_back(cells_[row]);
        ties_[order].push_back(static_cast<int64_t>(place + 1));
    }

    void write_ranks(size_t start, size_t end) {
        for (size_t place = start; place < end; ++place) {
            const int64_t cell = cells_[rows_[place]];
            if (cell != NOT_FOUND) results_.rank(cell) = static_cast<int32_t>(place + 1);
        }
    }

    const Index& index_;
    Results results_;
    const bool with_scores_, without_identical_;
    std::vector<bool> seen_;
    int64_t query_ = NOT_FOUND;
    Id own_{};  // the identifier of the query
    bool distinct_ = false;
    std::vector<Id> ids_;
    std::vector<float> scores_;
    std::vector<double> exact_;
    std::vector<int64_t> cells_;
    std::vector<uint64_t> hashes_, keys_, sorted_keys_;
    std::vector<uint32_t> rows_;
    size_t documents_ = 0, rounded_ = 0, tied_tops_ = 0, own_tops_ = 0;
    std::vector<int64_t> ties_[ORDERS];  // cell and rank of each judged document in a tie
    std::vector<Top> tops_;
    std::vector<std::vector<float>> scores_by_rank_;  // of each query
    size_t deepest_ = 0;
};

// Rows, or bytes of text, with the same query.
struct Stretch {
    int64_t query;
    size_t start, end;
};

// The stretches of judged queries, query by query.
std::vector<Stretch> by_query(const std::vector<Stretch>& stretches, size_t queries) {
    std::vector<size_t> places(queries + 1);
    for (const Stretch& stretch : stretches) {
        if (stretch.query != NOT_FOUND) ++places[static_cast<size_t>(stretch.query) + 1];
    }
    std::partial_sum(places.begin(), places.end(), places.begin());
    std::vector<Stretch> ordered(places.back());
    for (const Stretch& stretch : stretches) {
        if (stretch.query == NOT_FOUND) continue;
        ordered[places[static_cast<size_t>(stretch.query)]++] = stretch;
    }
    return ordered;
}

// ---- Runs as columns -------------------------------------------------------------------------

// The stretches of rows with the same query, in a column with an identifier for each row.
template <class Column>
std::vector<Stretch> stretches_of(const Index& index, const Column& query) {
    std::vector<Stretch> stretches;
    string_view before;
    for (size_t row = 0; row < query.size(); ++row) {
        const string_view now = query.text(row);
        if (row == 0 || !equal(now, before)) stretches.push_back({index.query(now), row, row});
        stretches.back().end = row + 1;
        before = now;
    }
    return stretches;
}

template <class Column>
void rank_columns(const Index& index, const std::vector<Stretch>& stretches, const Column& doc,
                  const double* score, Ranker& ranker) {
    for (size_t place = 0; place < stretches.size(); ++place) {
        const Stretch stretch = stretches[place];
        ranker.turn_to(stretch.query);
        if (place + AHEAD < stretches.size()) doc.fetch(stretches[place + AHEAD].start);
        for (size_t row = stretch.start; row < stretch.end; ++row) {
            if (row + AHEAD < stretch.end) doc.fetch(row + AHEAD);
            ranker.add(doc.id(row, index.hash), score[row]);
        }
    }
    ranker.finish();
}

// ---- Runs as dicts ---------------------------------------------------------------------------

// Reads scores: floats and their subclasses, ints, and numbers of the types that are given, which are
// numpy's: each has a conversion of its own.
class Numbers {
   public:
    explicit Numbers(PyObject* types) : types_(types), count_(PyTuple_Size(types)) {
        require(PyTuple_Check(types));
    }

    double operator()(PyObject* value) const {
        if (PyFloat_CheckExact(value) || PyFloat_Check(value)) return PyFloat_AsDouble(value);
        require(PyLong_CheckExact(value) || is_known(value));
        const double number = PyFloat_AsDouble(value);
        require(number != -1.0 || !PyErr_Occurred());
        return number;
    }

   private:
    bool is_known(PyObject* value) const {
        const auto type = reinterpret_cast<PyObject*>(Py_TYPE(value));
        for (Py_ssize_t at = 0; at < count_; ++at) {
            if (PyTuple_GetItem(types_, at) == type) return true;
        }
        return false;
    }

    PyObject* types_;
    Py_ssize_t count_;
};

// The documents of a query and their scores: of a dict, or of a list of documents, the best first.
class Documents {
   public:
    void read(PyObject* documents, const Numbers& numbers) {
        names_.clear();
        values_.clear();
        if (PyDict_Check(documents)) return read_dict(documents, numbers);
        const bool is_list = PyList_Check(documents);
        require(is_list || PyTuple_Check(documents));
        const Py_ssize_t count = is_list ? PyList_Size(documents) : PyTuple_Size(documents);
        for (Py_ssize_t at = 0; at < count; ++at) {
            names_.push_back(is_list ? PyList_GetItem(documents, at)
                                     : PyTuple_GetItem(documents, at));
            values_.push_back(static_cast<double>(count - at));
        }
        check_names();
        distinct_ = false;
    }

    size_t size() const { return names_.size(); }
    PyObject* name(size_t row) const { return names_[row]; }
    double value(size_t row) const { return values_[row]; }
    // Whether no document is there twice. A subclass of str may be equal to nothing.
    bool distinct() const { return distinct_; }

   private:
    void read_dict(PyObject* documents, const Numbers& numbers) {
        PyObject *document, *score;
        scores_.clear();
        for (Py_ssize_t at = 0; PyDict_Next(documents, &at, &document, &score);) {
            names_.push_back(document);
            scores_.push_back(score);
        }
        for (size_t row = 0; row < scores_.size(); ++row) {
            if (row + AHEAD < scores_.size()) {
                prefetch(names_[row + AHEAD]);
                prefetch(scores_[row + AHEAD]);
            }
            values_.push_back(numbers(scores_[row]));
        }
        check_names();
    }

    void check_names() {
        distinct_ = true;
        for (PyObject* name : names_) {
            require(is_text(name));
            distinct_ &= PyUnicode_CheckExact(name) != 0;
        }
    }

    std::vector<PyObject*> names_, scores_;
    std::vector<double> values_;
    bool distinct_ = false;
};

void rank_dict(const Index& index, PyObject* run, const Numbers& numbers, Ranker& ranker) {
    require(PyDict_Check(run));
    PyObject *query, *of_query;
    Documents documents;
    int of_lists = -1;
    for (Py_ssize_t place = 0; PyDict_Next(run, &place, &query, &of_query);) {
        const int64_t number = index.query(utf8_of(query));
        const int is_list = !PyDict_Check(of_query);
        require(of_lists == -1 || of_lists == is_list);
        of_lists = is_list;
        documents.read(of_query, numbers);
        ranker.start(number, documents.distinct());
        if (number == NOT_FOUND) continue;
        for (size_t row = 0; row < documents.size(); ++row) {
            const string_view text = utf8_of(documents.name(row));
            ranker.add(index.hash.id(text), documents.value(row));
        }
        ranker.finish();
    }
}

// ---- Runs as TREC files ----------------------------------------------------------------------

// What separates the fields of a line, as in Python's `bytes.split`.
bool is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r' && byte != '\n');
}

// The first byte from `at` on that ends a field: white space.
const char* end_of_field(const char* at, const char* end) {
    for (;; ++at) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        for (; end - at >= 8; at += 8) {
            const uint64_t word = word_at<uint64_t>(at);
            const uint64_t low = (word - 0x2121212121212121u) & ~word & 0x8080808080808080u;
            if (!low) continue;
            at += __builtin_ctzll(low) / 8;  // the lowest mark is a byte below 0x21
            break;
        }
#endif
        while (at < end && static_cast<unsigned char>(*at) > ' ') ++at;
        if (at == end || is_blank(*at) || *at == '\n') return at;  // no other control byte
    }
}

// The digits at `at`, as a number as long as they fit; `kept` counts those in it, `all` all of them.
struct Digits {
    uint64_t number = 0;
    int kept = 0;
    size_t all = 0;

    const char* read(const char* at, const char* end) {
        for (; at < end && *at >= '0' && *at <= '9'; ++at, ++all) {
            if (number >= 100000000000000000u) continue;  // one more digit may not fit
            number = 10 * number + static_cast<uint64_t>(*at - '0');
            ++kept;
        }
        return at;
    }
};

bool is_word(string_view text, string_view word) {
    const auto same = [](char one, char lower) { return (one | 0x20) == lower; };
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), same);
}

// Whether text is a number as Python's float reads it, which is then in `number`. Decline where this
// library cannot tell.
bool read_number(string_view text, double& number) {
    static constexpr double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = text.data(), *end = at + text.size();
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const double sign = negative ? -1.0 : 1.0;
    const char* unsigned_start = at;
    Digits digits;
    at = digits.read(at, end);
    const size_t whole = digits.all;
    int fraction = 0;
    bool kept_all = static_cast<size_t>(digits.kept) == digits.all;
    if (at < end && *at == '.') {
        const int before = digits.kept;
        at = digits.read(at + 1, end);
        fraction = digits.kept - before;
        kept_all = static_cast<size_t>(digits.kept) == digits.all;
    }
    if (digits.all == 0) {
        const string_view word = text.substr(static_cast<size_t>(unsigned_start - text.data()));
        const bool infinite = is_word(word, "inf") || is_word(word, "infinity");
        number = sign * (infinite ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN());
        return infinite || is_word(word, "nan");
    }
    const bool exact = FLT_EVAL_METHOD == 0 && kept_all && digits.number <= 1ull << 53;
    if (at == end && exact && fraction <= 22) {  // both fit a double, and one operation rounds
        number = sign * (static_cast<double>(digits.number) / POWERS[fraction]);
        return true;
    }
    double exponent = 0;
    if (at < end) {
        if (*at != 'e' && *at != 'E') return false;
        const bool small = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) ++at;
        Digits power;
        if (power.read(at, end) != end || power.all == 0) return false;
        exponent = static_cast<double>(power.number) * (small ? -1 : 1);
    }
#if defined(__cpp_lib_to_chars)
    const auto result = std::from_chars(unsigned_start, end, number);
    if (result.ec == std::errc::result_out_of_range) {  // Python has infinity, or 0
        const string_view figures(unsigned_start, static_cast<size_t>(end - unsigned_start));
        const size_t first = figures.find_first_of("123456789");  // it is there, or all is 0
        require(first != string_view::npos);
        const double place = first < whole ? static_cast<double>(whole - first)
                                           : -static_cast<double>(first - whole);
        number = place + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    } else {
        require(result.ec == std::errc() && result.ptr == end);
    }
    number *= sign;
    return true;
#else
    throw Irregular{};
#endif
}

// Whether text is a whole number of at most 31 bits, which is then in `number`.
bool read_whole(string_view text, double& number) {
    const char *at = text.data(), *end = at + text.size();
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    Digits digits;
    if (digits.read(at, end) != end || digits.all == 0) return false;
    require(digits.all < LONGEST_WHOLE);
    number = static_cast<double>(digits.number) * (negative ? -1.0 : 1.0);
    return digits.number < 1ull << 31;
}

// Whether text is a number, however it is written: with an exponent, hexadecimal, with a decimal
// comma, infinite, or none.
bool is_like_a_number(string_view text) {
    static constexpr char OF_HEXADECIMAL[] = "0123456789abcdefABCDEF";
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
    const auto consists_of = [](string_view part, const char* signs) {
        return !part.empty() && part.find_first_not_of(signs) == string_view::npos;
    };
    if (is_word(text.substr(0, 2), "0x") && consists_of(text.substr(2), OF_HEXADECIMAL)) return true;
    if (is_word(text, "inf") || is_word(text, "infinity") || is_word(text, "nan")) return true;
    const size_t digit = text.find_first_not_of(".,");
    return digit <= 1 && consists_of(text.substr(digit, 1), "0123456789") &&
           consists_of(text, "0123456789.,eE+-");
}

// The columns of a text format; as in io/lines.py.
struct Layout {
    size_t width, doc, number;
    bool of_ranks;  // whether the numbers are ranks; otherwise, scores or grades
};

constexpr Layout TREC{6, 2, 4, false}, MSMARCO{3, 1, 2, true}, QRELS{4, 2, 3, false};
constexpr size_t RANK = 3, TAG = 5;  // places in a line of TREC

const Layout& layout_of(int width) {
    for (const Layout* layout : {&TREC, &MSMARCO, &QRELS}) {
        if (layout->width == static_cast<size_t>(width)) return *layout;
    }
    throw Irregular{};
}

// The rows of a text, without its comments and its blank lines. A malformed line is declined, and a
// comment that reads as a row.
class Lines {
   public:
    Lines(string_view text, const Layout& layout, bool is_ascii)
        : at_(text.data()), end_(at_ + text.size()), layout_(layout), is_ascii_(is_ascii) {}

    // Go to the next row. False at the end of the text.
    bool next() {
        while (at_ < end_) {
            line_ = at_;
            read_fields();
            const bool is_comment = *line_ == '#', is_row = count_ > 0 && reads_as_row();
            require(count_ == 0 || is_row != is_comment);
            if (at_ < end_) ++at_;
            if (is_row) return true;
        }
        return false;
    }

    // Of the row: its identifiers, its score, its rank, and where its line begins.
    const string_view& query() const { return fields_[0]; }
    const string_view& doc() const { return fields_[layout_.doc]; }
    const string_view& rank() const { return fields_[layout_.of_ranks ? layout_.number : RANK]; }
    double score() const { return layout_.of_ranks ? -number_ : number_; }
    const char* line() const { return line_; }

   private:
    void read_fields() {
        for (count_ = 0;; ++count_) {
            while (at_ < end_ && is_blank(*at_)) ++at_;
            if (at_ == end_ || *at_ == '\n') return;
            const char* start = at_;
            at_ = end_of_field(at_, end_);
            if (count_ < layout_.width) fields_[count_] = {start, static_cast<size_t>(at_ - start)};
        }
    }

    bool reads_as_row() {
        if (count_ < layout_.width || (count_ > layout_.width && !continues_tag())) return false;
        if (!is_id(query()) || !is_id(doc())) return false;
        string_view text = fields_[layout_.number];
        if (layout_.of_ranks) {
            const size_t point = text.find('.');  // as in 1.0
            const string_view zeros = point == string_view::npos ? "" : text.substr(point + 1);
            if (zeros.find_first_not_of('0') != string_view::npos) return false;
            return read_whole(text.substr(0, point), number_);
        }
        return read_number(text, number_);
    }

    bool is_id(string_view text) const {
        return text.size() <= LONGEST_ID && (is_ascii_ || is_utf8(text));
    }

    // Whether text follows the tag: the rank is a number and the tag begins with none, so that no id
    // had a space. As in io/lines.py.
    bool continues_tag() const {
        if (layout_.width != TREC.width) return false;
        const string_view line(line_, static_cast<size_t>(at_ - line_));
        return fields_[RANK].find_first_not_of("0123456789") == string_view::npos &&
               !is_like_a_number(fields_[TAG]) &&
               line.find('\r') > line.find_last_not_of('\r');  // at its end only
    }

    const char *at_, *end_, *line_ = nullptr;
    const Layout& layout_;
    const bool is_ascii_;
    size_t count_ = 0;
    string_view fields_[6];
    double number_ = 0;
};

// Some rows at the beginning of a text: the top ones and the last one of each of the first stretches
// with the same query.
class Head {
   public:
    void clear() { *this = Head(); }

    void add(const Lines& row) {
        if (seen_ == HEAD_ROWS || stretches_ > HEAD_QUERIES) return;
        ++seen_;
        if (rows_.empty() || !equal(row.query(), rows_.back().query)) {
            if (++stretches_ > HEAD_QUERIES) return;
            of_query_ = 0;
        }
        if (of_query_ > HEAD_TOP) rows_.pop_back();
        rows_.push_back({row.query(), row.doc(), row.rank(), row.score()});
        ++of_query_;
    }

    // A tuple for each row: query, document and rank as strings, and the score.
    Owned answer() const {
        Owned list = owned(PyList_New(0));
        for (const Row& row : rows_) {
            append(list, tuple_of(string_of(row.query), string_of(row.doc), string_of(row.rank),
                                  owned(PyFloat_FromDouble(row.score))));
        }
        return list;
    }

   private:
    struct Row {
        string_view query, doc, rank;
        double score;
    };

    static Owned string_of(string_view text) {  // a rank may be anything
        return owned(PyUnicode_DecodeUTF8(text.data(), ssize(text.size()), "replace"));
    }

    std::vector<Row> rows_;
    size_t seen_ = 0, stretches_ = 0, of_query_ = 0;
};

// Rank lines whose queries stand in more than one stretch.
void rank_scattered(const Index& index, string_view text, const Layout& layout, bool is_ascii,
                    Ranker& ranker, Head& head) {
    ranker.clear();
    head.clear();
    std::vector<Stretch> stretches;
    string_view before;
    for (Lines lines(text, layout, is_ascii); lines.next(); before = lines.query()) {
        head.add(lines);
        const auto start = static_cast<size_t>(lines.line() - text.data());
        if (equal(lines.query(), before)) continue;
        if (!stretches.empty()) stretches.back().end = start;
        stretches.push_back({index.query(lines.query()), start, text.size()});
    }
    for (const Stretch& stretch : by_query(stretches, index.queries())) {
        ranker.turn_to(stretch.query);
        Lines lines(text.substr(stretch.start, stretch.end - stretch.start), layout, is_ascii);
        while (lines.next()) ranker.add(index.hash.id(lines.doc()), lines.score());
    }
    ranker.finish();
}

void rank_lines(const Index& index, string_view text, const Layout& layout, Ranker& ranker,
                Head& head) {
    const bool ascii = is_ascii(text);
    Lines lines(text, layout, ascii);
    string_view before;
    int64_t query = NOT_FOUND;
    while (lines.next()) {
        head.add(lines);
        if (!equal(lines.query(), before)) {
            ranker.finish();
            query = index.query(lines.query());
            if (ranker.has_seen(query)) {
                return rank_scattered(index, text, layout, ascii, ranker, head);
            }
            ranker.start(query);
        }
        before = lines.query();
        if (query != NOT_FOUND) ranker.add(index.hash.id(lines.doc()), lines.score());
    }
    ranker.finish();
}

// ---- Numbering -------------------------------------------------------------------------------

// Numbers identifiers in order of first appearance. The texts must stay where they are.
class Numbering {
   public:
    explicit Numbering(const Hash& hash) : hash_(hash) { grow(1 << 10); }

    int32_t operator()(string_view text) {
        if (!names.empty() && equal(text, names[static_cast<size_t>(last_)])) return last_;
        const uint64_t hash = hash_(text);
        size_t at = hash & mask_;
        for (; slots_[at].hash; at = (at + 1) & mask_) {
            if (slots_[at].hash != hash) continue;
            if (equal(text, names[static_cast<size_t>(slots_[at].number)])) {
                return last_ = slots_[at].number;
            }
        }
        require(names.size() < static_cast<size_t>(std::numeric_limits<int32_t>::max()));
        last_ = static_cast<int32_t>(names.size());
        slots_[at] = {hash, last_};
        names.push_back(text);
        if (2 * names.size() > mask_) grow(2 * (mask_ + 1));
        return last_;
    }

    std::vector<string_view> names;

   private:
    struct Slot {
        uint64_t hash;
        int32_t number;
    };

    void grow(size_t room) {
        std::vector<Slot> before(room, Slot{0, 0});
        before.swap(slots_);
        mask_ = room - 1;
        for (const Slot& slot : before) {
            if (!slot.hash) continue;
            size_t at = slot.hash & mask_;
            while (slots_[at].hash) at = (at + 1) & mask_;
            slots_[at] = slot;
        }
    }

    const Hash hash_;
    std::vector<Slot> slots_;
    size_t mask_ = 0;
    int32_t last_ = 0;
};

// Decline where a text is no UTF-8 any more, since it was changed. A list that is made may run other
// code, as garbage is collected: `list` is one that was made before.
Owned strings_of(const std::vector<string_view>& texts, Owned list = owned(PyList_New(0))) {
    for (const string_view text : texts) {
        Owned string(PyUnicode_DecodeUTF8(text.data(), ssize(text.size()), nullptr));
        require(string != nullptr);
        append(list, string);
    }
    return list;
}

// ---- What Python calls -----------------------------------------------------------------------

// Run a function; its result, None where it declines, or MemoryError.
template <class Function>
PyObject* guarded(Function&& function) {
    try {
        return function().release();
    } catch (const Irregular&) {
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    } catch (...) {
    }
    PyErr_Clear();
    Py_RETURN_NONE;
}

const Index& index_in(PyObject* capsule) {
    void* index = PyCapsule_GetPointer(capsule, INDEX_NAME);
    require(index);
    return *static_cast<const Index*>(index);
}

void delete_index(PyObject* capsule) {
    delete static_cast<const Index*>(PyCapsule_GetPointer(capsule, INDEX_NAME));
}

PyObject* make_index(PyObject*, PyObject* arguments) {
    Py_ssize_t cells;
    PyObject *bytes, *queries, *docs, *rows, *slots;
    // No format with '#': from Python 3.13 on it means another function than in earlier versions.
    if (!PyArg_ParseTuple(arguments, "OOOOOn", &bytes, &queries, &docs, &rows, &slots, &cells)) {
        return nullptr;
    }
    return guarded([&]() -> Owned {
        const Hash hash = hash_of(bytes);
        const Column query = column_of(queries, hash), doc = column_of(docs, hash);
        const Integers<int64_t> row(rows), slot(slots);
        const size_t query_count = size_of(query), doc_count = size_of(doc);
        require(row.size() == doc_count && slot.size() == doc_count);
        std::vector<size_t> sizes(query_count + 1);
        std::vector<size_t> groups;
        for (size_t at = 0; at < doc_count; ++at) {
            groups.push_back(row[at]);
            require(groups.back() < query_count);
            ++sizes[groups.back()];
        }
        sizes.back() = query_count;
        require(cells >= 0);
        auto index = std::make_unique<Index>(hash, sizes, static_cast<size_t>(cells));
        const auto add_docs = [&](const auto& column) {
            for (size_t at = 0; at < doc_count; ++at) {
                const size_t cell = slot[at];
                require(cell < index->cells);
                index->add(groups[at], column.text(at), static_cast<int64_t>(cell));
            }
        };
        const auto add_queries = [&](const auto& column) {
            for (size_t at = 0; at < query_count; ++at) {
                index->add(query_count, column.text(at), static_cast<int64_t>(at));
            }
        };
        std::visit(add_docs, doc);
        std::visit(add_queries, query);
        Owned capsule = owned(PyCapsule_New(index.get(), INDEX_NAME, delete_index));
        index.release();
        return capsule;
    });
}

PyObject* rank_columns(PyObject*, PyObject* arguments) {
    PyObject *capsule, *queries, *docs, *scores, *asked;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &capsule, &queries, &docs, &scores, &asked)) {
        return nullptr;
    }
    return guarded([&]() -> Owned {
        const Index& index = index_in(capsule);
        const Column query = column_of(queries, index.hash), doc = column_of(docs, index.hash);
        const Buffer score(scores, "d", sizeof(double));
        Ranker ranker(index, Asked(asked));
        require(size_of(query) == score.size() && size_of(doc) == score.size());
        const auto stretch = [&](const auto& column) {
            const WithoutGil released(!column.needs_gil);
            return by_query(stretches_of(index, column), index.queries());
        };
        const std::vector<Stretch> stretches = std::visit(stretch, query);
        const auto rank_docs = [&](const auto& column) {
            const WithoutGil released(!column.needs_gil);
            rank_columns(index, stretches, column, score.items<const double>(), ranker);
        };
        std::visit(rank_docs, doc);
        return ranker.answer();
    });
}

PyObject* rank_dict(PyObject*, PyObject* arguments) {
    PyObject *capsule, *run, *numbers, *asked;
    if (!PyArg_ParseTuple(arguments, "OOOO", &capsule, &run, &numbers, &asked)) return nullptr;
    return guarded([&]() -> Owned {
        const Index& index = index_in(capsule);
        Ranker ranker(index, Asked(asked));
        rank_dict(index, run, Numbers(numbers), ranker);
        return ranker.answer();
    });
}

PyObject* rank_lines(PyObject*, PyObject* arguments) {
    PyObject *capsule, *text, *asked;
    int width;
    if (!PyArg_ParseTuple(arguments, "OOiO", &capsule, &text, &width, &asked)) return nullptr;
    return guarded([&]() -> Owned {
        const Index& index = index_in(capsule);
        const Layout& layout = layout_of(width);
        const Buffer bytes(text, "B", 1);
        Ranker ranker(index, Asked(asked));
        Head head;
        {
            const WithoutGil released(true);
            rank_lines(index, bytes.text(), layout, ranker, head);
        }
        return tuple_of(ranker.answer(), head.answer());
    });
}

PyObject* number(PyObject*, PyObject* arguments) {
    PyObject *bytes, *parts;
    if (!PyArg_ParseTuple(arguments, "OO", &bytes, &parts)) return nullptr;
    return guarded([&]() -> Owned {
        const Hash hash = hash_of(bytes);
        Owned names = owned(PyList_New(0));
        const Column column = column_of(parts, hash);
        Numbering numbering(hash);
        std::vector<int32_t> codes;
        const auto read = [&](const auto& ids) {
            codes.reserve(ids.size());
            for (size_t row = 0; row < ids.size(); ++row) {
                if (row + AHEAD < ids.size()) ids.fetch(row + AHEAD);
                codes.push_back(numbering(ids.text(row)));
            }
        };
        std::visit(read, column);
        return tuple_of(bytes_of(codes), strings_of(numbering.names, std::move(names)));
    });
}

PyObject* read_lines(PyObject*, PyObject* arguments) {
    PyObject *secrets, *text;
    int width;
    if (!PyArg_ParseTuple(arguments, "OOi", &secrets, &text, &width)) return nullptr;
    return guarded([&]() -> Owned {
        const Layout& layout = layout_of(width);
        const Buffer buffer(text, "B", 1);
        const string_view all = buffer.text();
        Numbering queries(hash_of(secrets)), docs(hash_of(secrets));
        std::vector<int32_t> query, doc;
        std::vector<double> number;
        std::vector<int64_t> line;
        Head head;
        {
            const WithoutGil released(true);
            const char* counted = all.data();
            int64_t lines = 1;
            for (Lines rows(all, layout, is_ascii(all)); rows.next();) {
                query.push_back(queries(rows.query()));
                doc.push_back(docs(rows.doc()));
                number.push_back(rows.score());
                head.add(rows);
                lines += std::count(counted, rows.line(), '\n');
                counted = rows.line();
                line.push_back(lines);
            }
        }
        return tuple_of(bytes_of(query), strings_of(queries.names), bytes_of(doc),
                        strings_of(docs.names), bytes_of(number), bytes_of(line), head.answer());
    });
}

// The columns of plain lines of csv in ASCII, as lists of strings without blanks at their ends.
PyObject* split_csv(PyObject*, PyObject* arguments) {
    PyObject* text;
    int delimiter, width;
    if (!PyArg_ParseTuple(arguments, "Oii", &text, &delimiter, &width)) return nullptr;
    return guarded([&]() -> Owned {
        const Buffer buffer(text, "B", 1);
        const string_view all = buffer.text();
        const auto count = static_cast<size_t>(width);
        require(width > 0 && count <= all.size() && is_ascii(all));
        std::vector<std::vector<string_view>> columns(count);
        const char *at = all.data(), *end = at + all.size();
        while (at < end) {
            for (auto& column : columns) {
                const bool quoted = at < end && *at == '"', last = &column == &columns.back();
                const char* start = at += quoted;
                while (at < end && (quoted ? *at != '"' : *at != delimiter) && *at != '\n') {
                    require(static_cast<unsigned char>(*at) >= ' ');
                    ++at;
                }
                const char* stop = at;
                if (quoted) require(at < end && *at++ == '"');
                require(at < end ? *at == (last ? '\n' : delimiter) : last);
                ++at;
                require(stop - start <= LONGEST_CELL);
                while (start < stop && *start == ' ') ++start;
                while (start < stop && stop[-1] == ' ') --stop;
                column.push_back({start, static_cast<size_t>(stop - start)});
            }
            require(!columns.front().back().empty());  // a row may be blank
        }
        Owned lists = owned(PyTuple_New(width));
        for (size_t place = 0; place < count; ++place) {
            PyTuple_SetItem(lists.get(), ssize(place), strings_of(columns[place]).release());
        }
        return lists;
    });
}

int add_constants(PyObject* module) {
    return PyModule_AddIntConstant(module, "INTERFACE", INTERFACE);
}

PyMethodDef methods[] = {
    {"make_index", make_index, METH_VARARGS, nullptr},
    {"rank_columns", rank_columns, METH_VARARGS, nullptr},
    {"rank_dict", rank_dict, METH_VARARGS, nullptr},
    {"rank_lines", rank_lines, METH_VARARGS, nullptr},
    {"number", number, METH_VARARGS, nullptr},
    {"read_lines", read_lines, METH_VARARGS, nullptr},
    {"split_csv", split_csv, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(add_constants)}, {0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", nullptr, 0, methods, slots, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
