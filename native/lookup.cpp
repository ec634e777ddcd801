// Looks up the judged documents of a run in one pass: the rank of each, and how many documents each
// query returned, into arrays that the caller made.
//
// Every function that ranks answers the number of queries with a tied top, or declines (None): those
// of which most of the first ranks have the score of another document. It declines whatever is irregular: a second
// stretch of a query, a score of NaN, a repeated document, text that is not UTF-8, a subclass of
// str, scores most of which tie only as floats. The readers in Python then decide, and word the error
// or the warning. After None the arrays hold nothing that may be used.
//
// No user code runs in here, since only exact str, dict, float and int are read. The GIL is released
// over text and bytes only. Another thread may change the arrays meanwhile, so that each bound is
// read once, and no sort trusts that text stays as it is.

#include <Python.h>

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <variant>
#include <vector>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace {

using std::int32_t;
using std::int64_t;
using std::size_t;
using std::string_view;
using std::uint32_t;
using std::uint64_t;

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

constexpr size_t LONGEST_ID = 1 << 16;    // as in io/columns.py
constexpr size_t LONGEST_LINE = 1 << 20;  // as in io/lines.py
constexpr size_t SECRET_BYTES = 16;
constexpr size_t AHEAD = 8;  // how many rows ahead strings are fetched from memory
constexpr size_t TOP = 10;   // the ranks whose ties are counted; as in judgments/ranking.py
constexpr int64_t NOT_FOUND = -1;
constexpr char INDEX_NAME[] = "irx_measures.io._native.index";

struct Irregular {};  // thrown to decline

void require(bool regular) {
    if (!regular) throw Irregular{};
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
#elif defined(_MSC_VER) && defined(_M_X64)
    uint64_t high;
    const uint64_t low = _umul128(a, b, &high);
    return low ^ high;
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
    Index(const char* secrets, const std::vector<size_t>& sizes, size_t cell_count)
        : hash(secrets), cells(cell_count) {
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
        const Id id{text, hash(text)};
        const Group place = groups_[group];
        size_t at = id.hash & place.mask;
        while (hashes_[place.start + at]) at = (at + 1) & place.mask;
        hashes_[place.start + at] = id.hash;
        entries_[place.start + at] = {text_.size(), text.size(), number};
        text_.insert(text_.end(), text.begin(), text.end());
    }

    int64_t find(size_t group, const Id& id) const {
        const Group place = groups_[group];
        for (size_t at = id.hash & place.mask; hashes_[place.start + at];
             at = (at + 1) & place.mask) {
            if (hashes_[place.start + at] != id.hash) continue;
            const Entry& entry = entries_[place.start + at];
            if (equal(id.text, {text_.data() + entry.first, entry.length})) return entry.number;
        }
        return NOT_FOUND;
    }

    int64_t query(string_view text) const { return find(queries(), {text, hash(text)}); }

    size_t queries() const { return groups_.size() - 1; }

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

    std::vector<Group> groups_;
    std::vector<uint64_t> hashes_;  // 0: free; every group has a free place, where a search ends
    std::vector<Entry> entries_;
    std::vector<char> text_;
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

string_view utf8_of(PyObject* value) {
    require(value && PyUnicode_CheckExact(value));
    Py_ssize_t length;
    const char* text = PyUnicode_AsUTF8AndSize(value, &length);
    require(text && static_cast<size_t>(length) <= LONGEST_ID);  // no text: a lone surrogate
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

   private:
    Py_buffer view_;
};

using Shared = std::shared_ptr<const Buffer>;

class Integers {
   public:
    explicit Integers(PyObject* owner) {
        try {
            buffer_ = std::make_shared<Buffer>(owner, "ilq", sizeof(int64_t));
        } catch (const Irregular&) {
            PyErr_Clear();
            buffer_ = std::make_shared<Buffer>(owner, "il", sizeof(int32_t));
            short_ = true;
        }
    }
    size_t size() const { return buffer_->size(); }
    int64_t operator[](size_t row) const {
        return short_ ? buffer_->items<const int32_t>()[row] : buffer_->items<const int64_t>()[row];
    }

   private:
    Shared buffer_;
    bool short_ = false;
};

// Identifiers in UTF-8 text, each with its first byte and its length.
class TextColumn {
   public:
    static constexpr bool needs_gil = false;

    TextColumn(PyObject* text, PyObject* first, PyObject* length)
        : buffer_(std::make_shared<Buffer>(text, "B", 1)), first_(first), length_(length) {
        require(first_.size() == length_.size());
        text_ = {buffer_->items<const char>(), buffer_->size()};
        is_ascii_ = is_ascii(text_);
    }
    size_t size() const { return first_.size(); }
    string_view text(size_t row) const {
        const int64_t first = first_[row], length = length_[row];
        require(first >= 0 && length >= 0 && static_cast<size_t>(first) <= text_.size() &&
                static_cast<size_t>(length) <= text_.size() - static_cast<size_t>(first) &&
                static_cast<size_t>(length) <= LONGEST_ID);
        const auto found = text_.substr(static_cast<size_t>(first), static_cast<size_t>(length));
        require(is_ascii_ || is_utf8(found));
        return found;
    }
    Id id(size_t row, const Hash& hash) const {
        const auto found = text(row);
        return {found, hash(found)};
    }
    void fetch(size_t) const {}

   private:
    Shared buffer_;
    Integers first_, length_;
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
    Id id(size_t row, const Hash& hash) const {
        const auto found = text(row);
        return {found, hash(found)};
    }
    void fetch(size_t row) const { prefetch(buffer_->items<PyObject* const>()[row]); }

   private:
    Shared buffer_;
};

using Column = std::variant<TextColumn, ObjectColumn>;

// A column from (objects,), or from (text, first, length).
Column column_of(PyObject* parts) {
    require(PyTuple_Check(parts));
    const auto part = [parts](Py_ssize_t at) { return PyTuple_GetItem(parts, at); };
    if (PyTuple_Size(parts) == 1) return ObjectColumn(part(0));
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

// The arrays that the caller made: `rank` is zero for every cell, `returned` for every query.
class Results {
   public:
    Results(const Index& index, PyObject* rank, PyObject* returned)
        : rank_(rank, "il", sizeof(int32_t), true), returned_(returned, "ilq", sizeof(int64_t), true) {
        require(rank_.size() == index.cells && returned_.size() == index.queries());
    }
    int32_t& rank(int64_t cell) { return rank_.items<int32_t>()[cell]; }
    int64_t& returned(int64_t query) { return returned_.items<int64_t>()[query]; }

   private:
    Buffer rank_, returned_;
};

// Ranks one query after the other: `start`, `add` for each document, `finish`.
class Ranker {
   public:
    Ranker(const Index& index, Results& results, bool distinct)
        : index_(index), results_(results), distinct_(distinct), seen_(index.queries()) {}

    // Start a query; NOT_FOUND is one that is not judged, whose documents are not added.
    void start(int64_t query) {
        query_ = query;
        ids_.clear();
        scores_.clear();
        exact_.clear();
        if (query == NOT_FOUND) return;
        require(!seen_[static_cast<size_t>(query)]);
        seen_[static_cast<size_t>(query)] = true;
    }

    void add(const Id& id, double score) {
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
            if (judged) write_ranks(start, end);
            if (rounded) rounded_ += end - start;
            if (start < TOP && end - start > 1) tied += std::min(end, TOP) - start;
        }
        tied_tops_ += 2 * tied > std::min(rows_.size(), TOP);
    }

    // The number of queries with a tied top, as a Python number. Decline a run most of whose
    // documents tie only because scores are rounded to floats.
    PyObject* answer() const {
        require(rounded_ <= documents_ / 2);
        return PyLong_FromSize_t(tied_tops_);
    }

   private:
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
            std::sort(keys_.begin(), keys_.end());
        }
        for (size_t place = 0; place < rows_.size(); ++place) {
            rows_[place] = static_cast<uint32_t>(descending ? place : keys_[place]);
        }
    }

    // The ranks from `start` to `end`, which are one tie. It is sorted as a heap, which stays within
    // its bounds even if the text changes meanwhile.
    void write_ranks(size_t start, size_t end) {
        const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(start);
        const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(end);
        if (end - start > 1) {
            std::partial_sort(first, last, last, [this](uint32_t a, uint32_t b) {
                return ids_[a].text > ids_[b].text;
            });
        }
        for (size_t place = start; place < end; ++place) {
            const int64_t cell = cells_[rows_[place]];
            if (cell != NOT_FOUND) results_.rank(cell) = static_cast<int32_t>(place + 1);
        }
    }

    const Index& index_;
    Results& results_;
    const bool distinct_;
    std::vector<bool> seen_;
    int64_t query_ = NOT_FOUND;
    std::vector<Id> ids_;
    std::vector<float> scores_;
    std::vector<double> exact_;
    std::vector<int64_t> cells_;
    std::vector<uint64_t> hashes_, keys_;
    std::vector<uint32_t> rows_;
    size_t documents_ = 0, rounded_ = 0, tied_tops_ = 0;
};

// ---- Runs as columns -------------------------------------------------------------------------

struct Stretch {
    int64_t query;
    size_t start, end;
};

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
    for (const Stretch& stretch : stretches) {
        ranker.start(stretch.query);
        if (stretch.query == NOT_FOUND) continue;
        for (size_t row = stretch.start; row < stretch.end; ++row) {
            if (row + AHEAD < stretch.end) doc.fetch(row + AHEAD);
            ranker.add(doc.id(row, index.hash), score[row]);
        }
        ranker.finish();
    }
}

// ---- Runs as dicts ---------------------------------------------------------------------------

double number_of(PyObject* value) {
    if (PyFloat_CheckExact(value)) return PyFloat_AsDouble(value);
    require(PyLong_CheckExact(value));
    const double number = PyLong_AsDouble(value);
    require(number != -1.0 || !PyErr_Occurred());
    return number;
}

void rank_dict(const Index& index, PyObject* run, Ranker& ranker) {
    require(PyDict_CheckExact(run));
    PyObject *query, *documents, *document, *score;
    std::vector<PyObject*> names, scores;
    for (Py_ssize_t place = 0; PyDict_Next(run, &place, &query, &documents);) {
        const int64_t number = index.query(utf8_of(query));
        require(PyDict_CheckExact(documents));
        ranker.start(number);
        names.clear();
        scores.clear();
        for (Py_ssize_t at = 0; PyDict_Next(documents, &at, &document, &score);) {
            names.push_back(document);
            scores.push_back(score);
        }
        for (size_t row = 0; row < names.size(); ++row) {
            if (row + AHEAD < names.size()) {
                prefetch(names[row + AHEAD]);
                prefetch(scores[row + AHEAD]);
            }
            const double value = number_of(scores[row]);
            require(PyUnicode_CheckExact(names[row]));
            if (number == NOT_FOUND) continue;
            const string_view text = utf8_of(names[row]);
            ranker.add({text, index.hash(text)}, value);
        }
        ranker.finish();
    }
}

// ---- Runs as TREC files ----------------------------------------------------------------------

// The first byte from `at` on that ends a field: a blank, a line feed or another control byte.
const char* end_of_field(const char* at, const char* end) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; end - at >= 8; at += 8) {
        const uint64_t word = word_at<uint64_t>(at);
        const uint64_t low = (word - 0x2121212121212121u) & ~word & 0x8080808080808080u;
        if (low) return at + __builtin_ctzll(low) / 8;  // the lowest mark is a byte below 0x21
    }
#endif
    while (at < end && static_cast<unsigned char>(*at) > ' ') ++at;
    return at;
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

// A number as Python's float reads it, without the words inf and nan, which are declined.
double number_of(string_view text) {
    static constexpr double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = text.data(), *end = at + text.size();
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const char* unsigned_start = at;
    Digits digits;
    at = digits.read(at, end);
    int fraction = 0;
    bool kept_all = static_cast<size_t>(digits.kept) == digits.all;
    if (at < end && *at == '.') {
        const int before = digits.kept;
        at = digits.read(at + 1, end);
        fraction = digits.kept - before;
        kept_all = static_cast<size_t>(digits.kept) == digits.all;
    }
    require(digits.all > 0);
    const bool exact = FLT_EVAL_METHOD == 0 && kept_all && digits.number <= 1ull << 53;
    if (at == end && exact && fraction <= 22) {  // both fit a double, and one operation rounds
        const double number = static_cast<double>(digits.number) / POWERS[fraction];
        return negative ? -number : number;
    }
    if (at < end) {
        require(*at == 'e' || *at == 'E');
        if (++at < end && (*at == '-' || *at == '+')) ++at;
        Digits exponent;
        require(exponent.read(at, end) == end && exponent.all > 0);
    }
#if defined(__cpp_lib_to_chars)
    double number;
    const auto result = std::from_chars(unsigned_start, end, number);
    require(result.ec == std::errc() && result.ptr == end);
    return negative ? -number : number;
#else
    throw Irregular{};
#endif
}

class Lines {
   public:
    explicit Lines(string_view text) : at_(text.data()), end_(at_ + text.size()) {}

    // Read a line: query, iteration, document, rank, score, tag. False at the end of the text.
    bool next() {
        if (at_ == end_) return false;
        const char* line = at_;
        for (string_view& field : fields_) {
            skip_blanks();
            const char* start = at_;
            at_ = end_of_field(at_, end_);
            field = {start, static_cast<size_t>(at_ - start)};
            require(!field.empty());
        }
        skip_blanks();
        require(at_ == end_ || *at_ == '\n');
        require(static_cast<size_t>(at_ - line) <= LONGEST_LINE);
        require(query()[0] != '#' && query().size() <= LONGEST_ID && doc().size() <= LONGEST_ID);
        if (at_ < end_) ++at_;
        return true;
    }
    const string_view& query() const { return fields_[0]; }
    const string_view& doc() const { return fields_[2]; }
    double score() const { return number_of(fields_[4]); }

   private:
    void skip_blanks() {
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
    }

    const char *at_, *end_;
    string_view fields_[6];
};

void rank_lines(const Index& index, string_view text, Ranker& ranker) {
    require(text.substr(0, 3) != "\xEF\xBB\xBF");
    require(is_ascii(text) || is_utf8(text));
    Lines lines(text);
    string_view before;
    int64_t query = NOT_FOUND;
    while (lines.next()) {
        if (!equal(lines.query(), before)) {
            ranker.finish();
            query = index.query(lines.query());
            ranker.start(query);
        }
        before = lines.query();
        const double score = lines.score();
        if (query != NOT_FOUND) ranker.add({lines.doc(), index.hash(lines.doc())}, score);
    }
    ranker.finish();
}

// ---- What Python calls -----------------------------------------------------------------------

// Run a function; its result, None where it declines, or MemoryError.
template <class Function>
PyObject* guarded(Function&& function) {
    try {
        return function();
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
    return guarded([&]() -> PyObject* {
        const Buffer secret(bytes, "B", 1);
        require(secret.size() == SECRET_BYTES && cells >= 0);
        const char* secrets = secret.items<const char>();
        const Column query = column_of(queries), doc = column_of(docs);
        const Integers row(rows), slot(slots);
        const auto count = [](const auto& column) { return column.size(); };
        const size_t query_count = std::visit(count, query), doc_count = std::visit(count, doc);
        require(row.size() == doc_count && slot.size() == doc_count);
        std::vector<size_t> sizes(query_count + 1);
        std::vector<size_t> groups;
        for (size_t at = 0; at < doc_count; ++at) {
            const int64_t group = row[at];
            require(group >= 0 && static_cast<size_t>(group) < query_count);
            groups.push_back(static_cast<size_t>(group));
            ++sizes[groups.back()];
        }
        sizes.back() = query_count;
        auto index = std::make_unique<Index>(secrets, sizes, static_cast<size_t>(cells));
        const auto add_docs = [&](const auto& column) {
            for (size_t at = 0; at < doc_count; ++at) {
                const int64_t cell = slot[at];
                require(cell >= 0 && cell < cells);
                index->add(groups[at], column.text(at), cell);
            }
        };
        const auto add_queries = [&](const auto& column) {
            for (size_t at = 0; at < query_count; ++at) {
                index->add(query_count, column.text(at), static_cast<int64_t>(at));
            }
        };
        std::visit(add_docs, doc);
        std::visit(add_queries, query);
        PyObject* capsule = PyCapsule_New(index.get(), INDEX_NAME, delete_index);
        if (capsule) index.release();
        return capsule;
    });
}

PyObject* rank_columns(PyObject*, PyObject* arguments) {
    PyObject *capsule, *queries, *docs, *scores, *rank, *returned;
    if (!PyArg_ParseTuple(arguments, "OOOOOO", &capsule, &queries, &docs, &scores, &rank,
                          &returned)) {
        return nullptr;
    }
    return guarded([&]() -> PyObject* {
        const Index& index = index_in(capsule);
        Results results(index, rank, returned);
        const Column query = column_of(queries), doc = column_of(docs);
        const Buffer score(scores, "d", sizeof(double));
        Ranker ranker(index, results, false);
        const auto stretch = [&](const auto& column) {
            const WithoutGil released(!column.needs_gil);
            return stretches_of(index, column);
        };
        const std::vector<Stretch> stretches = std::visit(stretch, query);
        const auto rank_docs = [&](const auto& column) {
            const size_t rows = stretches.empty() ? 0 : stretches.back().end;
            require(column.size() == rows && score.size() == rows);
            const WithoutGil released(!column.needs_gil);
            rank_columns(index, stretches, column, score.items<const double>(), ranker);
        };
        std::visit(rank_docs, doc);
        return ranker.answer();
    });
}

PyObject* rank_dict(PyObject*, PyObject* arguments) {
    PyObject *capsule, *run, *rank, *returned;
    if (!PyArg_ParseTuple(arguments, "OOOO", &capsule, &run, &rank, &returned)) return nullptr;
    return guarded([&]() -> PyObject* {
        const Index& index = index_in(capsule);
        Results results(index, rank, returned);
        Ranker ranker(index, results, true);
        rank_dict(index, run, ranker);
        return ranker.answer();
    });
}

PyObject* rank_lines(PyObject*, PyObject* arguments) {
    PyObject *capsule, *text, *rank, *returned;
    if (!PyArg_ParseTuple(arguments, "OOOO", &capsule, &text, &rank, &returned)) return nullptr;
    return guarded([&]() -> PyObject* {
        const Index& index = index_in(capsule);
        Results results(index, rank, returned);
        const Buffer bytes(text, "B", 1);
        Ranker ranker(index, results, false);
        {
            const WithoutGil released(true);
            rank_lines(index, {bytes.items<const char>(), bytes.size()}, ranker);
        }
        return ranker.answer();
    });
}

PyMethodDef methods[] = {
    {"make_index", make_index, METH_VARARGS, nullptr},
    {"rank_columns", rank_columns, METH_VARARGS, nullptr},
    {"rank_dict", rank_dict, METH_VARARGS, nullptr},
    {"rank_lines", rank_lines, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef_Slot slots[] = {{0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", nullptr, 0, methods, slots, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&definition); }
